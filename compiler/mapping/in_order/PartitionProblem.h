// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The question which slices share a core.

#ifndef DENDROLITH_COMPILER_MAPPING_IN_ORDER_PARTITIONPROBLEM_H
#define DENDROLITH_COMPILER_MAPPING_IN_ORDER_PARTITIONPROBLEM_H

#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/SliceGraph.h"

#include <optional>
#include <string>

namespace dendrolith {

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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_IN_ORDER_PARTITIONPROBLEM_H
