// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which links of the mesh the messages of a mapped network load.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_ROUTINGPROBLEM_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_ROUTINGPROBLEM_H

#include "compiler/mapping/result/SliceGraph.h"
#include "targets/mesh/Routing.h"

namespace dendrolith {

/// Flows between tiles. Dimension order leaves no choice of route; what is to
/// be found is the load of each link. On a mesh with multicast a net loads each
/// link of the union of its routes once for each emission.
class RoutingProblem {
public:
  struct Flow {
    uint32_t from, to; // tiles
    double messages;   // per tick
  };
  /// Messages from one tile to several.
  struct Tree {
    uint32_t from;
    std::vector<uint32_t> to; // tiles, rising, each once
    double messages;          // per tick
  };
  static constexpr int numDirections = 4;
  struct Solution {
    /// Messages per tick of each link, see indexOf().
    std::vector<double> load;
  };

  /// The place in Solution::load of the link that leaves a tile.
  static uint64_t indexOf(uint64_t tile, Direction direction) {
    return tile * numDirections + static_cast<uint64_t>(direction);
  }

  RoutingProblem(const Mesh &mesh, std::vector<Flow> flows,
                 std::vector<Tree> trees = {})
      : mesh(mesh), flows(std::move(flows)), trees(std::move(trees)) {}
  /// The flows of the network with its slices on these cores. With multicast
  /// the nets must be those by pins.
  RoutingProblem(const Target &target, const SliceGraph &slices,
                 const std::vector<uint32_t> &cores);

  Mesh mesh;
  std::vector<Flow> flows; // by (from, to), each pair once
  std::vector<Tree> trees; // by (from, to), with multicast

  /// Throws Error when a flow or a tree leaves the mesh or has no finite rate
  /// >= 0.
  void check() const;
  Solution solve() const;
  /// Throws Error when a link loads a neighbour that does not exist. It also
  /// throws when, besides the trees, more or less enters or leaves a tile than
  /// the flows ask.
  void verify(const Solution &solution) const;

  /// Link traversals per tick: sum of messages x (|dx| + |dy|), and of those of
  /// trees x their links.
  double hops() const;
  static double maxLoad(const Solution &solution);

private:
  void checkFlow(uint32_t from, uint32_t to, double messages) const;
  std::vector<double> loadOfFlows(const Solution &solution) const;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_ROUTINGPROBLEM_H
