// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the patterns of a program know of its code so far: the words that it has
// read or computed already, and which lanes it works for.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_VISITSTATE_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_VISITSTATE_H

#include "compiler/native/code/Lanes.h"
#include "compiler/native/program/Plan.h"

#include <map>
#include <utility>

namespace dendrolith::native::program {

/// The arguments of a CompiledFunction.
struct Arguments {
  enum : unsigned {
    Ports,
    States,
    Shared,
    Own,
    Constants,
    Scratch,
    Runs,
    Sent,
    Any,
    Counts,
    Came,
    Amounts,
    Row,
    Neurons,
    Number
  };
};

/// An index: a number, and one that the code computes, as i64, or null.
struct At {
  uint32_t fixed = 0;
  mlir::Value more = {};
};

struct VisitState {
  VisitState(const Program &program, const Plan &plan, unsigned lanes,
             mlir::Block &arguments)
      : program(program), plan(plan), lanes(lanes), arguments(arguments) {}

  const Program &program;
  const Plan &plan;
  const unsigned lanes;
  mlir::Block &arguments;
  std::map<uint32_t, mlir::Value> amounts; ///< of shifts, by instruction

  using Key = std::pair<micro::Space, uint32_t>;
  /// Words that are known, by index. What a loop or a region has read is not
  /// known behind it.
  std::map<Key, Lane> words;

  mlir::Value neuron; ///< the first lane, as i64
  mlir::Value runs;   ///< which lanes run
  mlir::Value mask;   ///< of the region; null: all lanes

  mlir::Value element;           ///< of the loop, as i64; null: there is none
  std::map<Key, Lane> vectors;   ///< of which this element is known
  std::map<uint32_t, Lane> sums; ///< of its reductions so far, by instruction
};

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_VISITSTATE_H
