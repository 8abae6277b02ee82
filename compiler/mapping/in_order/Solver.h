// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problems of partition and placement, and one interface for their solvers.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_SOLVER_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_SOLVER_H

#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/SliceGraph.h"
#include "targets/loader/Target.h"

#include <boost/graph/adjacency_list.hpp>

#include <memory>
#include <optional>
#include <string>

namespace dendrolith {

// The question which slices share a core.

/// Assigns slices to logical cores, which are all alike. The slices and the
/// hypergraph of their nets stay with the caller.
class PartitionProblem {
public:
  /// Logical core of each slice.
  using Solution = std::vector<uint32_t>;

  /// `slices` must outlive the problem.
  PartitionProblem(const SliceGraph &slices, const Capacity &capacity,
                   uint32_t numCores);
  PartitionProblem(SliceGraph &&, const Capacity &, uint32_t) = delete;

  const std::vector<Net> &nets;
  uint32_t numSlices = 0, numCores = 0;
  const std::vector<Demand> &demand; // by slice
  const std::vector<double> &work;   // by slice, operations per tick
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

// Where on the mesh each logical core lies.

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

/// Solves checked problems; the caller verifies what it gives.
class Solver {
public:
  virtual ~Solver() = default;
  virtual std::string name() const = 0;
  /// Whether the solver looks for the least cost, wherever it starts. Others
  /// place as their name says.
  virtual bool searches() const { return false; }

  /// Gives nothing when no packing was found; there may be one all the same.
  virtual std::optional<PartitionProblem::Solution>
  partition(const PartitionProblem &problem) const = 0;

  virtual PlacementProblem::Solution
  place(const PlacementProblem &problem) const = 0;

  /// Improves slices on positions under the whole cost, message-hops plus
  /// the work of the busiest core. The default leaves them.
  virtual std::vector<uint32_t> refine(const PartitionProblem &,
                                       const PlacementProblem &,
                                       std::vector<uint32_t> positions) const {
    return positions;
  }
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_SOLVER_H
