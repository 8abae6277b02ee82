// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a checkpoint of ELM (eq. 1 of the paper): checks its arrays and turns
// them into constants. models/elm/README.md has keys, equations and the paper.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_ELM_ELM_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_ELM_ELM_H

#include "compiler/import/npz/common/Kind.h"

namespace dendrolith::npz {

CheckpointKind elmKind();

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_ELM_ELM_H
