// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping in the given order of neurons, as a named solver makes it: split,
// partition, place.

#ifndef NEURITE_COMPILER_MAPPING_INORDER_H
#define NEURITE_COMPILER_MAPPING_INORDER_H

#include "compiler/mapping/Mapping.h"
#include "compiler/mapping/Solver.h"

namespace neurite {

/// Cuts populations where a core is full and lets slices share cores as the
/// solver decides, on at least `minCores` of them.
Fit<Mapping> mapInOrder(const MapNetwork &network, const Target &target,
                        const Solver &solver, uint32_t minCores);

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_INORDER_H
