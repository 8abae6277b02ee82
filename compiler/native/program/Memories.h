// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memories of a program as code sees them: loads and stores of a word of
// all lanes.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_MEMORIES_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_MEMORIES_H

#include "compiler/native/code/Lanes.h"
#include "compiler/native/program/Plan.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <map>
#include <utility>

namespace dendrolith::native::program {

// What the patterns of a program know of its code so far: the words that it has
// read or computed already, and which lanes it works for.

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

class Memories {
public:
  Memories(Lanes &lanes, const VisitState &state) : l(lanes), state(state) {}

  mlir::Value argument(unsigned which) {
    return state.arguments.getArgument(which);
  }
  mlir::Value number(int64_t value);
  mlir::Value plus(mlir::Value a, mlir::Value b);
  mlir::Value times(mlir::Value a, mlir::Value b);
  /// An index as an i64.
  mlir::Value number(const At &at);
  /// Points to the element at `index` behind an argument.
  mlir::Value at(unsigned argument, mlir::Type element, mlir::Value index);
  mlir::Value load(mlir::Type type, mlir::Value pointer);
  void store(mlir::Value value, mlir::Value pointer);

  /// A word of the neurons from `neuron` on, which takes `bits`.
  Lane load(micro::Space space, const At &index, unsigned bits);
  void store(micro::Space space, const At &index, Lane value);
  /// The word at an index that each lane has, `index` words behind `first`.
  Lane gather(micro::Space space, uint32_t first, const Lane &index,
              unsigned bits);
  /// A row of what is sent.
  void send(const At &index, const Lane &value);

private:
  /// Where the word is: an argument and how many words of i64 behind it; and
  /// whether all lanes share it.
  struct Place {
    unsigned argument;
    mlir::Value index;
    bool shared = false;
  };
  Place placeOf(micro::Space space, const At &index);
  mlir::Value row(const At &index, int64_t first);

  /// In how many bits a word of a memory is stored.
  unsigned stored(micro::Space space, uint32_t word) const;

  Lanes &l;
  const VisitState &state;
};

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_MEMORIES_H
