// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coarse to fine: merge vertices, part the few that are left, undo the merges
// and refine after each.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_MULTILEVEL_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_MULTILEVEL_H

#include "compiler/mapping/cluster/Limits.h"
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

// Vertices that hear the same sources become one.

struct CoarsenOptions {
  uint64_t seed = 1;
  /// No merged vertex has more than this of what is limited, as a fraction of a
  /// core's limit.
  double share = 0.1;
  /// How many vertices may become one in one step.
  double ratio = 3;
  /// By vertex: only those with equal numbers may merge. Empty = any.
  const std::vector<uint32_t> *within = nullptr;
};

struct Labels {
  std::vector<uint32_t> of; ///< by vertex
  uint32_t count = 0;
};

/// One step of coarsening. The count is that of the vertices when nothing can
/// merge.
Labels coarsen(const Hypergraph &graph, const CoreLimits &limits,
               const CoarsenOptions &options);

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_MULTILEVEL_H
