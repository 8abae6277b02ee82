// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/IterativeSplitSolver.h"

#include <numeric>

namespace dendrolith {

std::optional<PartitionProblem::Solution>
IterativeSplitSolver::partition(const PartitionProblem &problem) const {
  if (problem.numSlices > problem.numCores)
    return PackedSolver().partition(problem);
  PartitionProblem::Solution solution(problem.numSlices);
  std::iota(solution.begin(), solution.end(), 0);
  return solution;
}

} // namespace dendrolith
