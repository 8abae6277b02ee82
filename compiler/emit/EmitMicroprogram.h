// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_COMPILER_EMIT_EMITMICROPROGRAM_H
#define DENDROLITH_COMPILER_EMIT_EMITMICROPROGRAM_H

#include "dialects/chip/Chip.h"
#include "runtime/image/program.pb.h"

namespace dendrolith {

/// `chip.program` -> the image's Microprogram. Fails with a diagnostic on the
/// op when a blob cannot be read.
mlir::FailureOr<image::Microprogram> emitMicroprogram(chip::ProgramOp op);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_EMIT_EMITMICROPROGRAM_H
