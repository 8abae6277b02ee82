// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of a vector neuron core, with what its machine code depends on.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_PROGRAM_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_PROGRAM_H

#include "runtime/microcode/Isa.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::native::program {

struct Program {
  /// The range that an output's values are clipped to.
  struct Range {
    int64_t low = 0, high = 1;
  };
  /// Where a parameter word is: among those that all neurons share, or a row
  /// among those of each neuron.
  struct ParamWord {
    bool perNeuron = false;
    size_t index = 0;
  };

  std::vector<micro::Instruction> code;
  std::vector<micro::OperandBits> operandBits; // by instruction
  std::vector<Range> outputs;
  std::vector<ParamWord> params;
  uint32_t registers = 0; // words
};

/// Neurons that lie side by side, whose updates are computed together.
constexpr unsigned kLanes = 8;

/// What the code of a program depends on, for so many neurons at a time.
/// Programs that differ in numbers that their code reads when it runs
/// (parameters, constants, how far to shift) have the same.
std::string keyOf(const Program &program, unsigned lanes);

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_PROGRAM_H
