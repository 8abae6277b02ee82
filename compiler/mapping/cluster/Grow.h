// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts to begin with.

#ifndef DENDROLITH_COMPILER_MAPPING_CLUSTER_GROW_H
#define DENDROLITH_COMPILER_MAPPING_CLUSTER_GROW_H

#include "compiler/mapping/cluster/Parts.h"

namespace dendrolith::cluster {

/// Fills one part after the other: the vertex that has most in common with the
/// part comes next, until the part has its share. A seed decides where each
/// part begins.
std::vector<uint32_t> grow(const Hypergraph &graph, const CoreLimits &limits,
                           uint32_t parts, uint64_t seed);

/// The vertices in their given order, parts filled one after the other with
/// equal shares: of slots alone, or of slots and synapses together.
std::vector<uint32_t> chunks(const Hypergraph &graph, uint32_t parts,
                             bool slotsAlone);

} // namespace dendrolith::cluster

#endif // DENDROLITH_COMPILER_MAPPING_CLUSTER_GROW_H
