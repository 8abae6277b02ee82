// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of a mapped network as chip ops.

#ifndef DENDROLITH_COMPILER_LOWERING_CHIPWRITER_H
#define DENDROLITH_COMPILER_LOWERING_CHIPWRITER_H

#include "compiler/lowering/CoreTables.h"

#include "dialects/chip/Chip.h"

namespace dendrolith {

/// Creates a `chip.program_image` in front of the network. The rows of the
/// tables are moved into it. Slices count positions of the lowered network, and
/// the mapping's order is numbersByPosition() (Reorder.h).
chip::ProgramImageOp writeChip(dend::NetworkOp network, const Target &chip,
                               const LoweredNetwork &lowered,
                               const Mapping &mapping, ChipTables &tables);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_CHIPWRITER_H
