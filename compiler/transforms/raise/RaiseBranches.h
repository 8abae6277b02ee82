// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaky states one by one: the branches and resonators of a neuron.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_RAISE_RAISEBRANCHES_H
#define DENDROLITH_COMPILER_TRANSFORMS_RAISE_RAISEBRANCHES_H

#include "compiler/transforms/network/BoundModel.h"

namespace dendrolith {

/// Writes a `compartment` for each vector of states, or each number, whose next
/// value is an affine function, element by element, and a `branch` where one
/// input drives all elements and one weighted sum reads them. It is written
/// where the arithmetic stood, so that all who read that read it. Whether there
/// was one.
bool raiseStates(BoundModel &model, bool vectors);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_RAISE_RAISEBRANCHES_H
