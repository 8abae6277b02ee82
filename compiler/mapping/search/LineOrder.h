// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An order of vertices in which neighbours follow each other, for networks
// whose own order says nothing.

#ifndef DENDROLITH_COMPILER_MAPPING_SEARCH_LINEORDER_H
#define DENDROLITH_COMPILER_MAPPING_SEARCH_LINEORDER_H

#include "compiler/mapping/cluster/Hypergraph.h"

namespace dendrolith {

/// The position of each vertex. The next one is always the one that has most
/// to do with those before it, of which the last ones count more.
std::vector<uint32_t> lineOf(const cluster::Hypergraph &graph);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_SEARCH_LINEORDER_H
