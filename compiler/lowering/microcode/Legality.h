// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DENDROLITH_COMPILER_LOWERING_MICROCODE_LEGALITY_H
#define DENDROLITH_COMPILER_LOWERING_MICROCODE_LEGALITY_H

#include "compiler/lowering/microcode/ProgramOp.h"
#include "compiler/lowering/microcode/VirtualCode.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// Whether the target's vector machine can hold and run a program: its
/// instructions, widths, registers, words, bytes per neuron, and what its
/// spikes carry. A diagnostic names the op or the model, what is needed and
/// what there is.
mlir::LogicalResult checkLegal(dend::NeuronOp model, const VirtualCode &code,
                               const Microprogram &program, const Target &chip);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_MICROCODE_LEGALITY_H
