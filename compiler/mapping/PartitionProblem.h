// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which slices share a core.

#ifndef NEURITE_COMPILER_MAPPING_PARTITIONPROBLEM_H
#define NEURITE_COMPILER_MAPPING_PARTITIONPROBLEM_H

#include "compiler/mapping/Fit.h"
#include "compiler/mapping/SliceGraph.h"

#include <boost/graph/adjacency_list.hpp>

#include <optional>
#include <string>

namespace neurite {

/// Slices to logical cores, all alike. The hypergraph is kept as a bipartite
/// graph: vertices [0, numSlices) are slices, the others nets; an edge joins a
/// net to its source slice and to each slice it sends to.
class PartitionProblem {
public:
  struct Vertex {
    double rate = 0; // of a net: emissions per tick
  };
  struct Edge {
    bool source = false;   // else a pin
    uint32_t messages = 0; // of a pin: per emission
  };
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS,
                                      boost::undirectedS, Vertex, Edge>;
  /// Logical core of each slice.
  using Solution = std::vector<uint32_t>;

  PartitionProblem(const SliceGraph &slices, const Capacity &capacity,
                   uint32_t numCores);

  Graph graph;
  uint32_t numSlices = 0, numCores = 0;
  std::vector<Demand> demand; // by slice
  std::vector<double> work;   // by slice, operations per tick
  Capacity capacity;
  Solution hint; // a packing known to fit, or empty

  /// Why no solution can exist, where that is plain: a slice is larger than a
  /// core, or all slices together than all cores. Throws Error for a problem
  /// that is none, without cores or demands.
  std::optional<Misfit> check() const;

  /// Throws Error when a slice has no core or a core holds more than it has.
  void verify(const Solution &solution) const;

  /// Messages per tick between different cores, plus the operations per tick
  /// of the busiest core. Inputs come from outside and count for none.
  double cost(const Solution &solution) const;
};

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_PARTITIONPROBLEM_H
