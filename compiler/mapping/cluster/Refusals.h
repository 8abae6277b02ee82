// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why neurons cannot be grouped, in words that say what would help.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_REFUSALS_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_REFUSALS_H

#include "compiler/mapping/cluster/Build.h"
#include "compiler/mapping/result/Fit.h"

#include <optional>

namespace dendrolith::cluster {

/// A neuron that no core holds, if there is one.
std::optional<Misfit> vertexMisfit(const MapNetwork &network,
                                   const Target &target,
                                   const CoreLimits &limits,
                                   const Vertices &vertices,
                                   const Hypergraph &graph);

/// The network does not fit `cores`; `fitting` is how many were found to do,
/// 0 = none.
Misfit regroupingMisfit(const MapNetwork &network, const Target &target,
                        const CoreLimits::CoreBound &bound, uint32_t cores,
                        uint32_t fitting, Resource resource);

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_REFUSALS_H
