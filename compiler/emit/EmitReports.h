// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NEURITE_COMPILER_EMIT_EMITREPORTS_H
#define NEURITE_COMPILER_EMIT_EMITREPORTS_H

#include "dialects/chip/Chip.h"
#include "runtime/image/program.pb.h"

namespace neurite {

/// The compiler's reports (fit, quantisation, policies, mapping, statistics,
/// layers, lifted limits), from attributes to messages.
void emitReports(chip::ProgramImageOp op, image::Program &program);

} // namespace neurite

#endif // NEURITE_COMPILER_EMIT_EMITREPORTS_H
