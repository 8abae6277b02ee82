// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks that are written in the `dend` dialect already.

#ifndef NEURITE_COMPILER_IMPORT_MLIR_MLIR_H
#define NEURITE_COMPILER_IMPORT_MLIR_MLIR_H

#include "compiler/import/Importer.h"

namespace neurite {

/// Parses and verifies a file with exactly one dend.network. Throws
/// neurite::Error.
ImportedModel importMlir(mlir::MLIRContext &context, const std::string &path);

/// .mlir and .mlirbc.
Importer mlirImporter();

} // namespace neurite

#endif // NEURITE_COMPILER_IMPORT_MLIR_MLIR_H
