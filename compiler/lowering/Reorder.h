// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lowered network in the order in which a mapping has its neurons.

#ifndef DENDROLITH_COMPILER_LOWERING_REORDER_H
#define DENDROLITH_COMPILER_LOWERING_REORDER_H

#include "compiler/lowering/NetworkToMap.h"
#include "compiler/mapping/network/Permute.h"

namespace dendrolith {

/// Puts the mapped network, and what counts in its positions, into another
/// order, which itself counts in the positions so far.
void reorder(LoweredNetwork &network, const NeuronOrder &order);

/// By population the number that users know the neuron at each position by;
/// `numbers` are those of the neurons where they differ. Empty where a position
/// is its neuron's number.
NeuronOrder numbersByPosition(const LoweredNetwork &network,
                              const NeuronOrder &numbers);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_REORDER_H
