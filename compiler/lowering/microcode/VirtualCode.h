// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program whose values have no registers yet.

#ifndef DENDROLITH_COMPILER_LOWERING_MICROCODE_VIRTUALCODE_H
#define DENDROLITH_COMPILER_LOWERING_MICROCODE_VIRTUALCODE_H

#include "dialects/dend/Dend.h"
#include "runtime/microcode/Isa.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith {

/// Where the words of a body value are. They lie in a memory from word `offset`
/// on, or, with space Register, from that word of virtual value `value` on.
struct OperandPlace {
  micro::Space space = micro::Space::None;
  int value = -1;      // the virtual value, when in a register
  uint32_t offset = 0; // the first word
  bool scalar = false; // whether one word stands for every element
};

/// An instruction whose register operands name virtual values; the index of
/// such an operand is the word within the value.
struct VirtualInstruction {
  micro::Instruction code;
  int d = -1, a = -1, b = -1, c = -1; // virtual values; -1 = none
  std::string name;                   // what it computes, for listings
  mlir::Location location;

  explicit VirtualInstruction(mlir::Location location) : location(location) {}
};

struct VirtualCode {
  std::vector<VirtualInstruction> code;
  std::vector<uint32_t> sizes;    // words of each virtual value
  std::vector<int64_t> constants; // words of the constant memory
};

/// Selects instructions for the body. Emissions stand behind everything else
/// but the stores of new states, which come last. Fails with a diagnostic on an
/// op that has no instruction.
mlir::FailureOr<VirtualCode> selectInstructions(dend::NeuronOp model,
                                                llvm::ArrayRef<bool> biased);

/// Lets an instruction write a state directly where nothing reads the old state
/// afterwards, and drops the store.
void storeDirectly(VirtualCode &code);

/// Lets a new state lie in state memory from the moment it is computed, where
/// others read it, too, and nothing reads the old one any more. That takes
/// fewer registers, and loads from state memory instead.
void keepInState(VirtualCode &code);

/// Gives every virtual value consecutive registers, lowest first, free again
/// after the last use. Returns the number of registers.
uint32_t allocateRegisters(VirtualCode &code);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_MICROCODE_VIRTUALCODE_H
