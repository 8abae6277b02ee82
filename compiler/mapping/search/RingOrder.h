// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hidden order of a network that is a ring or a chain, whatever numbers its
// neurons have: ways in the network say how far apart two neurons are.

#ifndef DENDROLITH_COMPILER_MAPPING_SEARCH_RINGORDER_H
#define DENDROLITH_COMPILER_MAPPING_SEARCH_RINGORDER_H

#include "compiler/mapping/cluster/Hypergraph.h"

namespace dendrolith {

/// The position of each vertex in a ring that is cut open somewhere. It begins
/// with the directions in which vertices lie, seen by their ways to four of
/// them, and goes on with each vertex in the middle of its neighbours. Where
/// ways are short everywhere, as in a network with synapses to anywhere, it
/// says little, and lineOf() is the better one.
std::vector<uint32_t> ringOf(const cluster::Hypergraph &graph);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_SEARCH_RINGORDER_H
