// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models by file name.

#ifndef DENDROLITH_COMPILER_IMPORT_IMPORT_H
#define DENDROLITH_COMPILER_IMPORT_IMPORT_H

#include "compiler/import/common/Importer.h"

namespace dendrolith {

/// All that there are; a file is read by the first one that it matches.
const std::vector<Importer> &importers();

/// ".nir, .npz or .mlir": their extensions for a sentence, each once.
std::string importExtensions();

/// The key of an option: "reset", also of "lif1:reset", which is that of a
/// node.
std::string importKeyOf(const std::string &name);

/// Adds an option of some importer behind those that are set. Throws
/// dendrolith::Error for a name that no importer knows and for a value that the
/// option cannot have.
void setImportOption(ImportOptions &options, const std::string &name,
                     const std::string &value);

/// Reads a model by its extension. Throws dendrolith::Error.
ImportedModel importModel(mlir::MLIRContext &context, const std::string &path,
                          const ImportOptions &options = {});

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_IMPORT_H
