// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Populations as text of the dialect `dend`.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_WRITE_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_WRITE_H

#include "compiler/import/npz/common/NetworkText.h"
#include "compiler/import/torch/Populations.h"

namespace dendrolith::torch {

struct Written {
  std::string text;
  npz::Constants constants;
};

Written writeNetwork(const Program &program, Built built);

} // namespace dendrolith::torch

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_WRITE_H
