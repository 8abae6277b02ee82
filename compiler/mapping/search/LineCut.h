// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a line of vertices that few messages come into: the best cuts of all
// there are, by dynamic programming over the places where least is cut.

#ifndef DENDROLITH_COMPILER_MAPPING_SEARCH_LINECUT_H
#define DENDROLITH_COMPILER_MAPPING_SEARCH_LINECUT_H

#include "compiler/mapping/cluster/Hypergraph.h"

namespace dendrolith {

/// What a message costs by where it comes from.
struct LinePrices {
  double own = 0, other = 1; // the part of its targets, or another one
};

/// Labels of the graph's vertices in order, from 0 on, one for each part. A
/// part takes at most `room` slots, and there are `fewest` to `most` of them.
/// The sum over parts of the messages into each is least, but for places to cut
/// that are not among those looked at, and limits other than slots. Empty where
/// no such cut was found.
std::vector<uint32_t> cutLine(const cluster::Hypergraph &graph, double room,
                              uint32_t fewest, uint32_t most,
                              const LinePrices &prices);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_SEARCH_LINECUT_H
