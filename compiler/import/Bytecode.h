// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NEURITE_COMPILER_IMPORT_BYTECODE_H
#define NEURITE_COMPILER_IMPORT_BYTECODE_H

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace neurite {

/// MLIR's bytecode reader can crash or hang on damaged bytes. Reads the file in
/// a child process first; throws neurite::Error if that child dies or takes
/// longer than a network may. Does nothing for files that are no bytecode, and
/// leaves errors that the reader reports to whoever reads the file next.
void tryBytecode(mlir::MLIRContext &context, const std::string &path);

} // namespace neurite

#endif // NEURITE_COMPILER_IMPORT_BYTECODE_H
