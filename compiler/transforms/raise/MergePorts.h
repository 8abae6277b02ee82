// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs that a model only adds up are one input.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_RAISE_MERGEPORTS_H
#define DENDROLITH_COMPILER_TRANSFORMS_RAISE_MERGEPORTS_H

#include "compiler/transforms/network/BoundModel.h"

namespace dendrolith {

/// Two ports that are read by one addition alone become the first of them, into
/// which all projections go.
void mergePorts(BoundModel &model);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_RAISE_MERGEPORTS_H
