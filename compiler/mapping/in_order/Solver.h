// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One interface for the solvers of partition and placement.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_SOLVER_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_SOLVER_H

#include "compiler/mapping/in_order/PartitionProblem.h"
#include "compiler/mapping/in_order/PlacementProblem.h"

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
  virtual std::vector<uint32_t> refine(const PartitionProblem &,
                                       const PlacementProblem &,
                                       std::vector<uint32_t> positions) const {
    return positions;
  }
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_SOLVER_H
