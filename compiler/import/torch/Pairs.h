// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_PAIRS_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_PAIRS_H

#include "compiler/import/torch/Program.h"

namespace dendrolith::torch {

/// The same step without complex numbers: each tensor of them becomes a real
/// and an imaginary one. Throws dendrolith::Error naming the user's place of an
/// operation that has no such form.
Program inPairs(Program program);

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_PAIRS_H
