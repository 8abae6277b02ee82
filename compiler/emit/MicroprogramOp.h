// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `chip.program` to and from the image's Microprogram: the same content in
// attributes.

#ifndef NEURITE_COMPILER_EMIT_MICROPROGRAMOP_H
#define NEURITE_COMPILER_EMIT_MICROPROGRAMOP_H

#include "dialects/chip/Chip.h"
#include "runtime/image/program.pb.h"

#include "mlir/IR/Builders.h"

namespace neurite {

/// Creates the op; `name` begins the names of its blobs.
chip::ProgramOp createProgram(mlir::OpBuilder &builder, mlir::Location loc,
                              const image::Microprogram &program,
                              llvm::StringRef name);

/// Fails with a diagnostic on the op when a blob cannot be read.
mlir::FailureOr<image::Microprogram> readProgram(chip::ProgramOp op);

} // namespace neurite

#endif // NEURITE_COMPILER_EMIT_MICROPROGRAMOP_H
