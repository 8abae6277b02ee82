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

/// The compiler's reports (fit, quantisation, policies, mapping, statistics,
/// layers, lifted limits), from attributes to messages.
void emitReports(chip::ProgramImageOp op, image::Program &program);

/// `chip.program` -> the image's Microprogram. Fails with a diagnostic on the
/// op when a blob cannot be read.
mlir::FailureOr<image::Microprogram> emitMicroprogram(chip::ProgramOp op);

/// Fails with a diagnostic when a blob cannot be read. The result has passed
/// validate(); model_name and model_sha256 are the caller's to set.
mlir::FailureOr<image::Program> emitProgram(chip::ProgramImageOp image,
                                            const Target &target);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_EMIT_EMITPROGRAM_H
