// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How real numbers that neurons send to each other become integers in messages.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_MESSAGES_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_MESSAGES_H

#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// Whether an output of the population that computes reals feeds a projection.
bool sendsReals(dend::PopulationOp population);

/// Makes every such output an integer spike: 16 bits, or the target's payload,
/// with one bit of room above the range seen; beyond it saturates. The unit is
/// a power of two, noted on the model until clearMessages().
void chooseMessages(dend::PopulationOp population, const Target &chip);

/// The format of an output that was a real one before, else null.
dend::FxType messageFormat(dend::NeuronOp model, llvm::StringRef output);

void clearMessages(dend::NetworkOp network);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_MESSAGES_H
