// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of each op of a step body, in one table. Instructions are
// selected from it, and a test holds that every op of the dialect has an entry
// that is true.

#ifndef DENDROLITH_COMPILER_LOWERING_MICROCODE_OPTABLE_H
#define DENDROLITH_COMPILER_LOWERING_MICROCODE_OPTABLE_H

#include "targets/loader/chip/Microcode.h"

#include <optional>
#include <string_view>
#include <vector>

namespace dendrolith {

struct OpEntry {
  enum Form {
    Instruction, // it becomes one instruction
    Expansion,   // it becomes several or none, as `how` says
    Earlier,     // --dend-select-engine writes it out before lowering
    RealOnly,    // it has no meaning in fixed point
  };
  std::string_view op; // "dend.mul"
  Form form;
  std::optional<MicroOp> instruction;
  std::string_view how;
};

/// The entries are in order of name.
const std::vector<OpEntry> &opTable();

/// The entry of an op ("dend.mul"), null if it has none.
const OpEntry *opEntry(std::string_view op);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_MICROCODE_OPTABLE_H
