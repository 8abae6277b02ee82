// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/BaselineSolvers.h"

#include <algorithm>
#include <numeric>

namespace dendrolith {

/// Puts each slice of `order` on the first core with room, looking from core 0
/// or, in turn, from the core after the last one. Gives nothing when there is
/// no room for one.
static std::optional<PartitionProblem::Solution>
firstFit(const PartitionProblem &problem, const std::vector<uint32_t> &order,
         bool inTurn) {
  std::vector<Demand> cores(problem.numCores);
  PartitionProblem::Solution solution(problem.numSlices);
  uint32_t start = 0;
  for (uint32_t slice : order) {
    uint32_t tried = 0, core = start;
    for (; tried < problem.numCores; ++tried) {
      core = (start + tried) % problem.numCores;
      if (exceeded(cores[core], problem.demand[slice], problem.capacity) ==
          numResources)
        break;
    }
    if (tried == problem.numCores)
      return std::nullopt;
    cores[core].add(problem.demand[slice]);
    solution[slice] = core;
    if (inTurn)
      start = (core + 1) % problem.numCores;
  }
  return solution;
}

std::optional<PartitionProblem::Solution>
RoundRobinSolver::partition(const PartitionProblem &problem) const {
  std::vector<uint32_t> order(problem.numSlices);
  std::iota(order.begin(), order.end(), 0);
  if (auto solution = firstFit(problem, order, true))
    return solution;
  return PackedSolver().partition(problem);
}

std::optional<PartitionProblem::Solution>
PackedSolver::partition(const PartitionProblem &problem) const {
  std::vector<uint32_t> order(problem.numSlices);
  std::iota(order.begin(), order.end(), 0);
  // Slices with the largest share of any one resource come first.
  std::vector<double> share(problem.numSlices, 0);
  for (uint32_t s = 0; s < problem.numSlices; ++s)
    for (int r = 0; r < numSums; ++r)
      if (problem.capacity.of[r] != unlimited && problem.capacity.of[r] > 0)
        share[s] = std::max(share[s], double(problem.demand[s].sums[r]) /
                                          double(problem.capacity.of[r]));
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return share[a] > share[b]; });
  if (auto solution = firstFit(problem, order, false))
    return solution;
  if (!problem.hint.empty())
    return problem.hint;
  return std::nullopt;
}

PlacementProblem::Solution
RoundRobinSolver::place(const PlacementProblem &problem) const {
  PlacementProblem::Solution solution(boost::num_vertices(problem.graph));
  std::iota(solution.begin(), solution.end(), 0);
  return solution;
}

std::optional<PartitionProblem::Solution>
IterativeSplitSolver::partition(const PartitionProblem &problem) const {
  if (problem.numSlices > problem.numCores)
    return PackedSolver().partition(problem);
  PartitionProblem::Solution solution(problem.numSlices);
  std::iota(solution.begin(), solution.end(), 0);
  return solution;
}

} // namespace dendrolith
