// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the synapse lists and in-axons of a projection into the tables of
// cores.

#ifndef DENDROLITH_COMPILER_LOWERING_LISTFILLER_H
#define DENDROLITH_COMPILER_LOWERING_LISTFILLER_H

#include "compiler/lowering/CoreTables.h"

#include "llvm/ADT/ArrayRef.h"

namespace dendrolith {

/// Stores the lists of one projection, source by source. Where the projection
/// shares, equal lists of a slice are stored once, and equal ones at equal
/// bases have one in-axon. `targets` are neighbouring slices of the target, in
/// order of neurons; lists of others are left to another call, which may be
/// made at the same time where none of its slices lies in a core of these.
/// `messages` gets what each source sends to these slices.
Sharing fillLists(const LoweredNetwork &network, size_t projection,
                  const SynapseFormat &format, llvm::ArrayRef<Slice> targets,
                  ChipTables &tables, OutAxons::Part &messages);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_LISTFILLER_H
