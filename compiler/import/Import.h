// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models by file name.

#ifndef NEURITE_COMPILER_IMPORT_IMPORT_H
#define NEURITE_COMPILER_IMPORT_IMPORT_H

#include "compiler/import/nir/Nir.h"

namespace neurite {

/// Reads a model by its extension: .nir, .npz (a checkpoint, npz/Npz.h, or
/// a study network, csr/Csr.h), .lava.pb (Lava processes, lava/Lava.h), or
/// .mlir and .mlirbc with exactly one dend.network, parsed and verified (the
/// options concern .nir only). Throws neurite::Error.
ImportedModel importModel(mlir::MLIRContext &context, const std::string &path,
                          const nir::NirOptions &options = {});

} // namespace neurite

#endif // NEURITE_COMPILER_IMPORT_IMPORT_H
