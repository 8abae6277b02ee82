// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a checkpoint of DendAttn (eq. 17 to 34 of the paper): checks its arrays
// and turns them into constants. models/dendattn/README.md has keys, equations
// and the paper.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_DENDATTN_DENDATTN_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_DENDATTN_DENDATTN_H

#include "compiler/import/npz/common/Kind.h"

namespace dendrolith::npz {

CheckpointKind dendattnKind();

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_DENDATTN_DENDATTN_H
