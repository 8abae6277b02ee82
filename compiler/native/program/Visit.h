// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a pattern writes the code of a visit with, at one place of it: words by
// where they are or are known, the lanes that it works for, and loops.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_VISIT_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_VISIT_H

#include "compiler/native/code/Loops.h"
#include "compiler/native/program/Memories.h"

namespace dendrolith::native::program {

class Visit {
public:
  using State = VisitState;

  Visit(mlir::OpBuilder &builder, VisitState &state)
      : b(builder), state(state), l(builder, state.lanes), memory(l, state),
        loops(l) {}

  // Words.

  /// A word whose index is known now.
  Lane word(micro::Space space, uint32_t at, unsigned bits);
  /// The word of each operand that serves every element of the step, so that no
  /// loop reads it again.
  void readAhead(const Step &step);
  /// An element of an operand that is read element by element.
  Lane element(const Step &step, unsigned o, const At &at);
  /// An element of an operand at an index that the code computes.
  Lane anywhere(const Step &step, unsigned o, mlir::Value at);
  /// Writes a result where it belongs: in the lanes of the mask alone.
  void put(const Step &step, const At &at, Lane value);
  /// The words of the step's result may be others now.
  void forget(const Step &step);
  /// How far the step shifts, as i64, where that is read when the code runs.
  mlir::Value amountOf(const Step &step) { return state.amounts[step.number]; }

  // Lanes.

  /// Which lanes run, and are in the region.
  mlir::Value activeLanes();
  /// The bytes of the lanes behind an argument.
  mlir::Value isSet(unsigned argument, mlir::Value byte);
  void setBytes(unsigned argument, mlir::Value byte, mlir::Value lanes);
  /// Counts the neurons of `lanes`, which run a part.
  void countPart(uint32_t part, mlir::Value lanes);

  mlir::OpBuilder &b;
  VisitState &state;
  Lanes l;
  Memories memory;
  Loops loops;

private:
  mlir::Type bytes();
};

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_VISIT_H
