// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One interface for the solvers of partition and placement.

#ifndef DENDROLITH_COMPILER_MAPPING_SOLVER_H
#define DENDROLITH_COMPILER_MAPPING_SOLVER_H

#include "compiler/mapping/PartitionProblem.h"
#include "compiler/mapping/PlacementProblem.h"

#include <memory>
#include <optional>
#include <string>

namespace dendrolith {

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
  virtual std::vector<uint32_t> refine(const PartitionProblem &partition,
                                       const PlacementProblem &slices,
                                       std::vector<uint32_t> positions) const;
};

/// "default", "round-robin", "packed" or "iterative-split"; throws Error naming
/// those for another name.
const Solver &findSolver(const std::string &name);

/// The baseline: slices go to cores in turn, cores in order of id. Where that
/// does not fit, the largest slice goes first, into the first core with room;
/// where that does not fit either, the problem's hint is taken.
class RoundRobinSolver : public Solver {
public:
  std::string name() const override { return "round-robin"; }
  std::optional<PartitionProblem::Solution>
  partition(const PartitionProblem &problem) const override;
  PlacementProblem::Solution
  place(const PlacementProblem &problem) const override;
};

/// Takes as few cores as first fit does with the largest slice first. It shows
/// what a network costs without messages between cores, if it fits one.
class PackedSolver : public RoundRobinSolver {
public:
  std::string name() const override { return "packed"; }
  std::optional<PartitionProblem::Solution>
  partition(const PartitionProblem &problem) const override;
};

/// Grows cores by traffic, then makes moves, swaps and Fiduccia-Mattheyses
/// passes. It is never worse than round-robin in each problem's cost.
class DefaultSolver : public Solver {
public:
  /// `budget` bounds each search, counted in distances looked up.
  explicit DefaultSolver(uint64_t budget = 200000000) : budget(budget) {}
  std::string name() const override { return "default"; }
  bool searches() const override { return true; }
  std::optional<PartitionProblem::Solution>
  partition(const PartitionProblem &problem) const override;
  PlacementProblem::Solution
  place(const PlacementProblem &problem) const override;
  std::vector<uint32_t> refine(const PartitionProblem &partition,
                               const PlacementProblem &slices,
                               std::vector<uint32_t> positions) const override;

private:
  uint64_t budget;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_SOLVER_H
