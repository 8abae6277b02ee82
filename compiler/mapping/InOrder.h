// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping in the given order of neurons, as a named solver makes it: split,
// partition, place.

#ifndef DENDROLITH_COMPILER_MAPPING_INORDER_H
#define DENDROLITH_COMPILER_MAPPING_INORDER_H

#include "compiler/mapping/Mapping.h"
#include "compiler/mapping/Solver.h"

namespace dendrolith {

/// Cuts populations where a core is full and lets slices share cores as the
/// solver decides, on at least `minCores` of them.
Fit<Mapping> mapInOrder(const MapNetwork &network, const Target &target,
                        const Solver &solver, uint32_t minCores);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_INORDER_H
