// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs use few registers, again and again. For a compiler each value has a
// place of its own.

#ifndef DENDROLITH_COMPILER_NATIVE_PROGRAM_REGISTERS_H
#define DENDROLITH_COMPILER_NATIVE_PROGRAM_REGISTERS_H

#include "compiler/native/program/Plan.h"

namespace dendrolith::native::program {

/// Whether words [a, a + n) and [b, b + m) have one in common.
inline bool overlap(const micro::Operand &a, uint64_t n,
                    const micro::Operand &b, uint64_t m) {
  return a.space == b.space && a.index < b.index + m && b.index < a.index + n;
}

/// Whether an operand of a step has a word of [d, d + n).
inline bool readsFrom(const Step &step, unsigned operand,
                      const micro::Operand &d, uint64_t n) {
  const uint64_t extent = micro::extentOf(step.code, operand);
  return extent && overlap(step.operand(operand), extent, d, n);
}

/// Gives results that no skip guards, and that are read whole or in part but
/// never together with others, registers from `first` on that nothing else
/// writes. Returns the number of registers.
uint32_t renameRegisters(std::vector<Step> &steps, uint32_t first);

/// Lets instructions write states themselves where their results, in registers
/// from `first` on, are moved there.
void computeInPlace(std::vector<Step> &steps, uint32_t first);

} // namespace dendrolith::native::program

#endif // DENDROLITH_COMPILER_NATIVE_PROGRAM_REGISTERS_H
