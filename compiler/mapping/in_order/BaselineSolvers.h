// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solvers to compare with: none of them looks for the least cost.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_BASELINESOLVERS_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_BASELINESOLVERS_H

#include "compiler/mapping/in_order/Solver.h"

namespace dendrolith {

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

/// Layer by layer: a population starts on one core and gets one more until its
/// equal parts fit, which is what Split makes of it (SplitStyle::Balanced). No
/// two parts share a core, and cores are taken in order of id. Where there are
/// more parts than cores, parts share cores as the solver 'packed' has it.
class IterativeSplitSolver : public RoundRobinSolver {
public:
  std::string name() const override { return "iterative-split"; }
  std::optional<PartitionProblem::Solution>
  partition(const PartitionProblem &problem) const override;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_BASELINESOLVERS_H
