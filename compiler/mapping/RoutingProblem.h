// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages over the mesh, x first.

#ifndef NEURITE_COMPILER_MAPPING_ROUTINGPROBLEM_H
#define NEURITE_COMPILER_MAPPING_ROUTINGPROBLEM_H

#include "compiler/mapping/SliceGraph.h"

namespace neurite {

/// The tile through which inputs enter and outputs leave.
constexpr uint32_t hostTile = 0;

/// Flows between tiles. Dimension order leaves no choice of route; what is to
/// be found is the load of each link.
class RoutingProblem {
public:
  struct Flow {
    uint32_t from, to; // tiles
    double messages;   // per tick
  };
  enum Direction { East, West, North, South, numDirections };
  struct Solution {
    /// Messages per tick by tile * numDirections + direction of leaving.
    std::vector<double> load;
  };

  RoutingProblem(const Mesh &mesh, std::vector<Flow> flows)
      : mesh(mesh), flows(std::move(flows)) {}
  /// The flows of the network with its slices on these cores.
  RoutingProblem(const Target &target, const SliceGraph &slices,
                 const std::vector<uint32_t> &cores);

  Mesh mesh;
  std::vector<Flow> flows; // by (from, to), each pair once

  /// Throws Error when a flow leaves the mesh or has no finite rate >= 0.
  void check() const;
  Solution solve() const;
  /// Throws Error when a link loads a neighbour that does not exist, or when
  /// what enters and leaves the tiles is not what the flows ask.
  void verify(const Solution &solution) const;

  /// Link traversals per tick: sum of messages x (|dx| + |dy|).
  double hops() const;
  static double maxLoad(const Solution &solution);
};

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_ROUTINGPROBLEM_H
