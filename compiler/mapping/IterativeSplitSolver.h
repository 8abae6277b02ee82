// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The known scheme of vendors' compilers, as a baseline.

#ifndef DENDROLITH_COMPILER_MAPPING_ITERATIVESPLITSOLVER_H
#define DENDROLITH_COMPILER_MAPPING_ITERATIVESPLITSOLVER_H

#include "compiler/mapping/Solver.h"

namespace dendrolith {

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

#endif // DENDROLITH_COMPILER_MAPPING_ITERATIVESPLITSOLVER_H
