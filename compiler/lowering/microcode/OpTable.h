// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of each op of a step body, in one table: for readers, and for
// the test that every op has an entry that holds.

#ifndef NEURITE_COMPILER_LOWERING_MICROCODE_OPTABLE_H
#define NEURITE_COMPILER_LOWERING_MICROCODE_OPTABLE_H

#include "targets/loader/Microcode.h"

#include <optional>
#include <string_view>
#include <vector>

namespace neurite {

struct OpEntry {
  enum Form {
    Instruction, // one instruction
    Expansion,   // several, or none: `how` names it
    Earlier,     // written out before lowering (--dend-select-engine)
    RealOnly,    // has no meaning in fixed point
  };
  std::string_view op; // "dend.mul"
  Form form;
  std::optional<MicroOp> instruction;
  std::string_view how;
};

/// In order of name.
const std::vector<OpEntry> &opTable();

} // namespace neurite

#endif // NEURITE_COMPILER_LOWERING_MICROCODE_OPTABLE_H
