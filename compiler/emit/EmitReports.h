// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_COMPILER_EMIT_EMITREPORTS_H
#define DENDROLITH_COMPILER_EMIT_EMITREPORTS_H

#include "dialects/chip/Chip.h"
#include "runtime/image/program.pb.h"

namespace dendrolith {

/// The compiler's reports (fit, quantisation, policies, mapping, statistics,
/// layers, lifted limits), from attributes to messages.
void emitReports(chip::ProgramImageOp op, image::Program &program);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_EMIT_EMITREPORTS_H
