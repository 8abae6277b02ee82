// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coarse to fine: merge vertices, part the few that are left, undo the merges
// and refine after each.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_MULTILEVEL_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_MULTILEVEL_H

#include "compiler/mapping/cluster/Refine.h"

namespace dendrolith::cluster {

struct Result {
  std::vector<uint32_t> part; // by vertex
  Score score;
};

/// Parts of the graph; how many workers there are changes nothing. `start` is
/// by vertex and may be empty: then the search begins with parts of its own.
Result partition(const Hypergraph &graph, const CoreLimits &limits,
                 uint32_t parts, uint64_t seed, double effort, Workers &workers,
                 const std::vector<uint32_t> &start);

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_MULTILEVEL_H
