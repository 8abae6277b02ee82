// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network over more cores than it needs: what a layer per core costs, say.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_SPREAD_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_SPREAD_H

#include "compiler/mapping/in_order/Split.h"
#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/SliceGraph.h"

#include <optional>

namespace dendrolith {

/// Why the network cannot be spread over so many cores, if the target has fewer
/// cores or the network fewer neurons.
std::optional<Misfit> spreadMisfit(const MapNetwork &network,
                                   const Target &target, uint32_t minCores,
                                   uint32_t maxCores = 0);

/// Cuts slices until there are `pieces`: always the one with the largest parts
/// (the first of equals) into one part more, all of its parts equal. What was a
/// fit of one slice is one of each part. Needs as many neurons.
void splitFurther(Split &split, uint32_t pieces);

/// Moves slices to empty cores until `minCores` are used: from the core with
/// the most populations its population with the most work, and where no core
/// has two, half the slices of the core with the most. Needs as many slices.
/// `solution` is a logical core by slice.
void spreadOver(const SliceGraph &graph, std::vector<uint32_t> &solution,
                uint32_t minCores);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_SPREAD_H
