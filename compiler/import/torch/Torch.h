// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Step functions of PyTorch, exported as .pt2, as `dend` networks. README.md
// says what becomes what.

#ifndef DENDROLITH_COMPILER_IMPORT_TORCH_TORCH_H
#define DENDROLITH_COMPILER_IMPORT_TORCH_TORCH_H

#include "compiler/import/common/Importer.h"
#include "compiler/import/torch/Program.h"

namespace dendrolith {

/// The network of a step function.
ImportedModel importTorchProgram(mlir::MLIRContext &context,
                                 const torch::Program &program);

/// .pt2: what torch.export.save writes of a step (x, *states) -> (y, *states).
Importer torchImporter();

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_TORCH_TORCH_H
