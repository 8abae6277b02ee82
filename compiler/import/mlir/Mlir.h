// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks that are written in the `dend` dialect already.

#ifndef DENDROLITH_COMPILER_IMPORT_MLIR_MLIR_H
#define DENDROLITH_COMPILER_IMPORT_MLIR_MLIR_H

#include "compiler/import/common/Importer.h"

namespace dendrolith {

/// Parses and verifies a file with exactly one dend.network. Throws
/// dendrolith::Error.
ImportedModel importMlir(mlir::MLIRContext &context, const std::string &path);

/// .mlir and .mlirbc.
Importer mlirImporter();

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_MLIR_MLIR_H
