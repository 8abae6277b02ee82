// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NEURITE_COMPILER_IMPORT_TRYPARSE_H
#define NEURITE_COMPILER_IMPORT_TRYPARSE_H

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace neurite {

/// MLIR's readers can crash or hang on hostile files: text nested without end,
/// damaged bytecode. Reads the file in a limited child process first; throws
/// neurite::Error if that child dies. Leaves errors that the reader reports to
/// whoever reads the file next.
void tryParse(mlir::MLIRContext &context, const std::string &path);

} // namespace neurite

#endif // NEURITE_COMPILER_IMPORT_TRYPARSE_H
