// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step body in fixed point as a program of a vector neuron core.

#ifndef DENDROLITH_COMPILER_LOWERING_MICROCODE_LOWERBODY_H
#define DENDROLITH_COMPILER_LOWERING_MICROCODE_LOWERBODY_H

#include "compiler/lowering/microcode/ProgramOp.h"
#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// What a body cannot know of itself: clocks, biases, and how its outputs
/// leave. One entry per port, state and output of the model.
struct BodyContext {
  struct Emission {
    chip::EmissionKind kind = chip::EmissionKind::Binary;
    int64_t steps = 1;
  };
  const Target *chip = nullptr;
  llvm::SmallVector<bool> biased;        // the port has a bias parameter
  llvm::SmallVector<int64_t> hold;       // updates between clearings
  llvm::SmallVector<int64_t> resetEvery; // updates between resets, 0 = none
  llvm::SmallVector<bool> keep;          // not reset with the sample
  llvm::SmallVector<Emission> outputs;
};

/// The same body and context give the same bytes. After the model's parameters
/// come those of biased ports ("I.bias", one word per neuron and element).
/// Fails with a diagnostic on the op or the model: real values, structure ops,
/// an instruction the target lacks, and programs beyond its words, registers,
/// bytes per neuron or payload bits.
mlir::FailureOr<Microprogram> lowerBody(dend::NeuronOp model,
                                        const BodyContext &context);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_MICROCODE_LOWERBODY_H
