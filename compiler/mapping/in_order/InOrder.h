// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping in the given order of neurons, as a named solver makes it: split,
// partition, place.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_INORDER_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_INORDER_H

#include "compiler/mapping/in_order/Solver.h"
#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/Mapping.h"

namespace dendrolith {

/// "default", "round-robin", "packed" or "iterative-split"; throws Error naming
/// those for another name.
const Solver &findSolver(const std::string &name);

/// Cuts populations where a core is full and lets slices share cores as the
/// solver decides, on at least `minCores` of them. Where `cutFor` is given, a
/// core is full where one of that target is.
Fit<Mapping> mapInOrder(const MapNetwork &network, const Target &target,
                        const Solver &solver, uint32_t minCores,
                        const Target *cutFor = nullptr);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_INORDER_H
