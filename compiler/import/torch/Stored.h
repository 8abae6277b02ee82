// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of torch.save, as far as archives before torch 2.8 have some: the
// pickle is read as data, and nothing that it names is called.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_STORED_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_STORED_H

#include "compiler/import/torch/Program.h"

namespace dendrolith::torch {

/// The tensors of a dict that torch.save wrote, by name. Throws Error beginning
/// with `place` for anything else.
std::map<std::string, Constant> readStored(const std::string &bytes,
                                           const std::string &place);

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_STORED_H
