// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which chains of linear nodes are composed.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_WIRINGORDER_H
#define DENDROLITH_COMPILER_IMPORT_NIR_WIRINGORDER_H

#include "compiler/import/nir/Wiring.h"

namespace dendrolith::nir {

/// Whether projections can start here: at a population or an input of the whole
/// graph. They end at a population or an output of it.
inline bool isSource(const Node &node) {
  return isPopulation(node.type) || (node.type == Type::Input && !node.wire);
}
inline bool isSink(const Node &node) {
  return isPopulation(node.type) || (node.type == Type::Output && !node.wire);
}

/// Gives the nodes that are neither population nor input, each after what feeds
/// it. An edge that was cut as a loop makes no exception: a cycle of linear
/// nodes and delays alone remembers for ever, and no finite sum of projections
/// does that.
std::vector<unsigned> linearOrder(const Graph &graph);

/// Throws if projections of delay zero close a cycle.
void checkDelays(const Graph &graph, const Policy &policy,
                 const std::vector<Projection> &projections);

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_WIRINGORDER_H
