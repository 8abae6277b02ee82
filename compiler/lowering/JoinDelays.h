// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a chip's synapse words have delay bits, a source needs no list for each
// of its delays: one list has them all, and one message a core serves it.

#ifndef DENDROLITH_COMPILER_LOWERING_JOINDELAYS_H
#define DENDROLITH_COMPILER_LOWERING_JOINDELAYS_H

#include "compiler/lowering/NetworkToMap.h"

#include "llvm/ADT/ArrayRef.h"

namespace dendrolith {

/// Joins projections that differ in their delays alone, where sources then have
/// fewer lists. `projects` are those of the network, in its order. Two synapses
/// between the same ends stay in two lists; so does what shares lists.
void joinDelays(LoweredNetwork &lowered,
                llvm::ArrayRef<dend::ProjectOp> projects,
                const SynapseFormat &format);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_JOINDELAYS_H
