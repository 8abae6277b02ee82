// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and shifts, which scale by powers of two, round and narrow, as code
// for all lanes.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_SCALING_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_SCALING_H

#include "compiler/native/code/Lanes.h"
#include "compiler/native/program/Plan.h"

namespace dendrolith::native::program {

/// What kind of code shifts by an amount that is read when the code runs; 0 if
/// the amount of the step stands in its code. Steps of one number have the same
/// code, so that programs that differ in amounts alone share theirs.
int openAmount(const Step &step);

/// Where a step has an open amount it is given as an i64, else null.
class Scaling {
public:
  explicit Scaling(Lanes &lanes) : l(lanes) {}

  /// x modulo 2^width, in two's complement; x is held in at least as many bits.
  Lane wrap(const Lane &x, unsigned width);
  Lane clip(const Lane &x, unsigned width);
  /// Computes narrow(x * 2^shift), where x takes `bits`.
  Lane scale(const Step &step, Lane x, unsigned bits, bool saturate,
             mlir::Value amount);
  Lane product(const Step &step, Lane x, Lane y, bool saturate,
               mlir::Value amount);
  /// A term of a sum of products, modulo 2^width.
  Lane term(const Step &step, const Lane &x, const Lane &y, mlir::Value amount);
  /// The `shift` instruction, whose amount is an operand.
  Lane shift(const Step &step, const Lane &x, const Lane &y);

protected:
  Lanes &l;

private:
  Lane scaleLeft(const Step &step, const Lane &x, unsigned bits,
                 mlir::Value amount);
  Lane amountOf(mlir::Value open, unsigned shift, unsigned held);
  Lane divide(const Lane &x, micro::Rounding rounding, unsigned shift,
              mlir::Value amount);
};

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_SCALING_H
