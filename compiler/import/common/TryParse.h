// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_IMPORT_COMMON_TRYPARSE_H
#define DENDROLITH_COMPILER_IMPORT_COMMON_TRYPARSE_H

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/MemoryBufferRef.h"

#include <string>

namespace dendrolith {

/// MLIR's readers can crash or hang on hostile files: text nested without end,
/// damaged bytecode. Reads the file in a limited child process first; throws
/// dendrolith::Error if that child dies. Leaves errors that the reader reports
/// to whoever reads the file next.
void tryParse(mlir::MLIRContext &context, const std::string &path);
/// The same of bytes that were read already, by the name that they have.
void tryParse(mlir::MLIRContext &context, llvm::MemoryBufferRef source);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_IMPORT_COMMON_TRYPARSE_H
