// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code of a visit has at hand at one place: its memories, the words
// that it has read or computed already, and which lanes it works for.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_VISIT_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_VISIT_H

#include "compiler/native/code/Lanes.h"
#include "compiler/native/code/Loops.h"
#include "compiler/native/program/Memories.h"
#include "compiler/native/program/Plan.h"

#include <map>
#include <utility>

namespace dendrolith::native::program {

class Visit {
public:
  Visit(mlir::OpBuilder &builder, const Program &program, const Plan &plan,
        unsigned lanes, mlir::Block &arguments)
      : b(builder), program(program), plan(plan), l(builder, lanes),
        memory(l, program, plan, arguments), loops(l) {}

  // Words.

  /// A word whose index is known now.
  Lane word(micro::Space space, uint32_t at, unsigned bits);
  /// Element `e` of an operand that a loop reads element by element: e is known
  /// where there is no loop, in which it is `dynamic`.
  Lane element(const Step &step, unsigned o, uint32_t e, mlir::Value dynamic);
  /// An element of an operand at an index that the code computes.
  Lane anywhere(const Step &step, unsigned o, mlir::Value at);
  /// Writes a result where it belongs: in the lanes of the mask alone.
  void put(const Step &step, uint32_t e, mlir::Value dynamic, Lane value);
  /// The words of the step's result may be others now.
  void forget(const Step &step);
  /// What is known of elements belongs to one time of a loop.
  void endElements() { vectors.clear(); }

  using Key = std::pair<micro::Space, uint32_t>;
  /// Words that are known, by index. What a loop or a region has read is not
  /// known behind it.
  std::map<Key, Lane> words;

  // Lanes.

  /// Which lanes run, and are in the region.
  mlir::Value activeLanes();
  /// The bytes of the lanes behind an argument.
  mlir::Value isSet(unsigned argument, mlir::Value byte);
  void setBytes(unsigned argument, mlir::Value byte, mlir::Value lanes);
  /// Counts the neurons of `lanes`, which run a part.
  void countPart(uint32_t part, mlir::Value lanes);

  mlir::Value runs; // which lanes run
  mlir::Value mask; // of the region; null: all lanes

  mlir::OpBuilder &b;
  const Program &program;
  const Plan &plan;
  Lanes l;
  Memories memory;
  Loops loops;

private:
  mlir::Type bytes();

  std::map<Key, Lane> vectors; // of which an element is known in a loop
};

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_VISIT_H
