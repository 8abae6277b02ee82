// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memories of a program as code sees them: loads and stores of a word of
// all lanes.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_MEMORIES_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_MEMORIES_H

#include "compiler/native/program/VisitState.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace dendrolith::native::program {

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
