// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vertices that hear the same sources become one.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_COARSEN_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_COARSEN_H

#include "compiler/mapping/cluster/Limits.h"

namespace dendrolith::cluster {

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

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_COARSEN_H
