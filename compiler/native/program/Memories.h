// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memories of a program as code sees them: loads and stores of a word of
// all lanes.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_MEMORIES_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_MEMORIES_H

#include "compiler/native/code/Lanes.h"
#include "compiler/native/program/Plan.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

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

/// The index of a word: an index of the operand's memory, and one that the code
/// computes, as i64, or null.
struct WordIndex {
  uint32_t word = 0;
  mlir::Value more;
};

class Memories {
public:
  Memories(Lanes &lanes, const Program &program, const Plan &plan,
           mlir::Block &arguments)
      : l(lanes), program(program), plan(plan), arguments(arguments) {}

  mlir::Value argument(unsigned which) { return arguments.getArgument(which); }
  mlir::Value number(int64_t value);
  mlir::Value plus(mlir::Value a, mlir::Value b);
  mlir::Value times(mlir::Value a, mlir::Value b);
  /// Points to the element at `index` behind an argument.
  mlir::Value at(unsigned argument, mlir::Type element, mlir::Value index);
  mlir::Value load(mlir::Type type, mlir::Value pointer);
  void store(mlir::Value value, mlir::Value pointer);

  /// A word of the neurons from `neuron` on, which takes `bits`.
  Lane load(micro::Space space, const WordIndex &index, unsigned bits);
  void store(micro::Space space, const WordIndex &index, Lane value);
  /// The word at an index that each lane has, `index` words behind `first`.
  Lane gather(micro::Space space, uint32_t first, const Lane &index,
              unsigned bits);
  /// A row of what is sent.
  void send(const WordIndex &index, const Lane &value);

  mlir::Value neuron; // the first lane, as i64

private:
  /// Where the word is: an argument and how many words of i64 behind it; and
  /// whether all lanes share it.
  struct Place {
    unsigned argument;
    mlir::Value index;
    bool shared = false;
  };
  Place placeOf(micro::Space space, const WordIndex &index);
  mlir::Value row(const WordIndex &index, int64_t first);

  Lanes &l;
  const Program &program;
  const Plan &plan;
  mlir::Block &arguments;
};

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_MEMORIES_H
