// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_REALMODES_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_REALMODES_H

#include "compiler/transforms/network/BoundModel.h"

namespace dendrolith {

/// Retypes a complex branch without input gain whose decays A are real in every
/// population: its state, fed by a real input from zero, stays real, and only
/// the real part of C is read. Leaves any other branch alone, and one whose
/// state, A or C has other uses or whose state is probed.
void makeModesReal(BoundModel &model, dend::BranchOp op);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_REALMODES_H
