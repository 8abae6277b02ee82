// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The populations of a network in the order of the data, in which a choice for
// one may look at what those before it became.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_POPULATIONORDER_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_POPULATIONORDER_H

#include "dialects/dend/Dend.h"

#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace dendrolith {

struct PopulationOrder {
  std::vector<dend::PopulationOp> populations; ///< sources before targets
  /// Populations where a loop closes: a source of theirs does not come before
  /// them. The set is looked up only, never walked over.
  llvm::DenseSet<mlir::Operation *> looped;
};

/// Takes time proportional to the network, however deep it is.
PopulationOrder orderPopulations(dend::NetworkOp network);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_POPULATIONORDER_H
