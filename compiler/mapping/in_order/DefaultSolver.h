// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The solver that looks for the least cost.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_DEFAULTSOLVER_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_DEFAULTSOLVER_H

#include "compiler/mapping/in_order/Solver.h"

namespace dendrolith {

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

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_DEFAULTSOLVER_H
