// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a checkpoint of DendriCL (eq. 1 of the paper): checks its arrays and
// turns them into constants. models/dendricl/README.md has keys, equations and
// the paper.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_DENDRICL_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_DENDRICL_H

#include "compiler/import/npz/common/Kind.h"

namespace dendrolith::npz {

/// Its reader warns when the mean step of the delta rule, gamma times the mean
/// eigenvalue of WA^T WA, is above 2 / (d + 2), beyond which it diverges on x
/// of unit variance.
CheckpointKind dendriclKind();

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_DENDRICL_H
