// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integer arithmetic of the instruction set, as code for all lanes. The
// meaning is that of functional/neuron/MicroArithmetic.h. How a value is held
// follows from the bits of the operands, so nothing here overflows.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_ARITHMETIC_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_ARITHMETIC_H

#include "compiler/native/program/Scaling.h"

#include <functional>

namespace dendrolith::native::program {

class Arithmetic : public Scaling {
public:
  using Scaling::Scaling;

  /// What reads the knot at an index that each lane has, as i64.
  using Knot = std::function<Lane(const Lane &index)>;

  /// The result of an instruction of MicroShape::Elements or Rungs. `amount` is
  /// an i64, null if the step has no open one.
  Lane element(const Step &step, const Lane *operands, mlir::Value amount);
  /// The `table` instruction.
  Lane table(const Step &step, const Lane &x, const Knot &knot);

private:
  Lane sum(const Step &step, Lane x, Lane y);
  Lane leadingZeros(const Step &step, const Lane &x);
  Lane ladder(const Step &step, const Lane *operands);
};

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_ARITHMETIC_H
