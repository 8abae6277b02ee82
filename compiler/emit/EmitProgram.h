// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// chip.program_image -> program image, one field per table: no decisions here.

#ifndef DENDROLITH_COMPILER_EMIT_EMITPROGRAM_H
#define DENDROLITH_COMPILER_EMIT_EMITPROGRAM_H

#include "dialects/chip/Chip.h"
#include "runtime/image/program.pb.h"
#include "targets/loader/Target.h"

#include "mlir/Support/LLVM.h"

namespace dendrolith {

/// Fails with a diagnostic when a blob cannot be read. The result has passed
/// validate(); model_name and model_sha256 are the caller's to set.
mlir::FailureOr<image::Program> emitProgram(chip::ProgramImageOp image,
                                            const Target &target);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_EMIT_EMITPROGRAM_H
