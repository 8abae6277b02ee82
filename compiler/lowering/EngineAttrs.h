// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine of a group as attributes: the group's part of a population's
// parameters.

#ifndef DENDROLITH_COMPILER_LOWERING_ENGINEATTRS_H
#define DENDROLITH_COMPILER_LOWERING_ENGINEATTRS_H

#include "compiler/lowering/Engines.h"

#include "mlir/IR/Builders.h"

namespace dendrolith {

/// The neurons of a group: those at positions [first, first + count).
struct GroupNeurons {
  uint32_t first = 0, count = 0;
  /// The neuron at each position of the population; empty: the position.
  llvm::ArrayRef<uint32_t> order;

  /// The values of the group's neurons, by position, of those of all neurons,
  /// each of which has `elements`.
  std::vector<int64_t> gather(const std::vector<int64_t> &values,
                              uint64_t elements) const;
};

chip::CubaAttr cubaAttr(mlir::Builder &builder, const CubaTable &table,
                        const GroupNeurons &neurons);

/// `program`: index among the programs of the core.
chip::MicrocodeAttr microcodeAttr(mlir::Builder &builder,
                                  const MicroTable &table,
                                  const GroupNeurons &neurons, int64_t program);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_ENGINEATTRS_H
