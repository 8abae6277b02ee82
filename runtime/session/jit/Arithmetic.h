// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integer arithmetic of the instruction set, as code for all lanes. The
// meaning is that of functional/neuron/MicroArithmetic.h. How a value is held
// follows from the bits of the operands, so nothing here overflows.

#ifndef DENDROLITH_RUNTIME_SESSION_JIT_ARITHMETIC_H
#define DENDROLITH_RUNTIME_SESSION_JIT_ARITHMETIC_H

#include "runtime/session/jit/Lanes.h"
#include "runtime/session/jit/Plan.h"

#include <functional>

namespace dendrolith::sim::jit {

/// Other than 0 if a step shifts by an amount that its code reads when it runs,
/// so that programs that differ in nothing else share their code: those whose
/// steps have the same number here.
int openAmount(const Step &step);

class Arithmetic {
public:
  explicit Arithmetic(Lanes &lanes) : l(lanes) {}

  /// What reads the knot at an index that each lane has, as i64.
  using Knot = std::function<Lane(const Lane &index)>;

  /// The result of an instruction of MicroShape::Elements or Rungs. `amount` is
  /// an i64, null if the step has no open one.
  Lane element(const Step &step, const Lane *operands, mlir::Value amount);
  /// A term of a sum of products, modulo 2^width.
  Lane term(const Step &step, const Lane &x, const Lane &y, mlir::Value amount);
  /// The `table` instruction.
  Lane table(const Step &step, const Lane &x, const Knot &knot);
  /// x modulo 2^width, in two's complement; x is held in at least as many bits.
  Lane wrap(const Lane &x, unsigned width);

private:
  Lane sum(const Step &step, Lane x, Lane y);
  Lane scale(const Step &step, Lane x, unsigned bits, bool saturate,
             mlir::Value amount);
  Lane scaleLeft(const Step &step, const Lane &x, unsigned bits,
                 mlir::Value amount);
  Lane amountOf(mlir::Value open, unsigned shift, unsigned held);
  Lane divide(const Lane &x, micro::Rounding rounding, unsigned shift,
              mlir::Value amount);
  Lane clip(const Lane &x, unsigned width);
  Lane product(const Step &step, Lane x, Lane y, bool saturate,
               mlir::Value amount);
  Lane shift(const Step &step, const Lane &x, const Lane &y);
  Lane leadingZeros(const Step &step, const Lane &x);
  Lane ladder(const Step &step, const Lane *operands);

  Lanes &l;
};

} // namespace dendrolith::sim::jit

#endif // DENDROLITH_RUNTIME_SESSION_JIT_ARITHMETIC_H
