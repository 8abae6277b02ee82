// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where on the mesh each logical core lies.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_PLACEMENTPROBLEM_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_PLACEMENTPROBLEM_H

#include "compiler/mapping/in_order/PartitionProblem.h"
#include "targets/loader/Target.h"

#include <boost/graph/adjacency_list.hpp>

namespace dendrolith {

/// Logical cores to different positions. An edge of the graph carries the
/// messages per tick between two cores, both ways together.
class PlacementProblem {
public:
  struct Edge {
    double messages = 0;
  };
  using Graph =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                            boost::no_property, Edge>;
  /// Position (core id of the target) of each logical core.
  using Solution = std::vector<uint32_t>;

  PlacementProblem(const SliceGraph &slices,
                   const PartitionProblem::Solution &partition,
                   uint32_t numLogical, std::vector<TileXY> positions);

  Graph graph;
  std::vector<double> toHost;    // messages per tick with the host
  std::vector<TileXY> positions; // where each position is
  uint32_t perChip = 0; // that many positions in turn are one chip; 0: all

  /// Sets the last one to that of the target.
  void putOn(const Target &target);

  /// Throws Error when there are fewer positions than cores.
  void check() const;
  /// Throws Error when a core lies nowhere or two lie on one position.
  void verify(const Solution &solution) const;
  /// Message-hops per tick.
  double cost(const Solution &solution) const;
};

/// Hops between a position and the host, which is at the first tile.
double hostDistance(TileXY position);

/// The places of the cores that placement may use, by id: all cores, or on very
/// large chips the first 4096, or as many as there are slices. A core's place
/// is that of its tile. Chips of a board lie so far apart that a link between
/// them is as long as the hops that take as much time.
std::vector<TileXY> usablePositions(const Target &target, uint64_t slices);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_PLACEMENTPROBLEM_H
