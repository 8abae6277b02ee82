// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many bits the operands of a program's instructions can take.

#ifndef DENDROLITH_RUNTIME_MICROCODE_OPERANDBITS_H
#define DENDROLITH_RUNTIME_MICROCODE_OPERANDBITS_H

#include "runtime/microcode/Isa.h"

#include <cstdint>
#include <vector>

namespace dendrolith::micro {

/// Bits of each word of the memories that a program reads from outside.
struct WordBits {
  std::vector<unsigned> ports, states, params;
};

/// Follows through a program how many bits every word can take; by instruction.
/// What a region writes may not have been written, so there the larger of both
/// holds.
std::vector<OperandBits> operandBits(const std::vector<Instruction> &code,
                                     uint32_t registers, WordBits words,
                                     const std::vector<int64_t> &constants);

} // namespace dendrolith::micro

#endif // DENDROLITH_RUNTIME_MICROCODE_OPERANDBITS_H
