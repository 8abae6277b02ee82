// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a network that leads to one population, with the weights that its
// projections have got so far: what the sources of a layer do once the layers
// before it have their integers.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ROUNDEDPREFIX_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ROUNDEDPREFIX_H

#include "dialects/dend/Dend.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

#include <vector>

namespace dendrolith {

/// Weights of projections in reals, one per element of the weight constant.
using RoundedWeights = llvm::DenseMap<mlir::Operation *, std::vector<double>>;

struct RoundedPrefix {
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< null without such sources
  llvm::StringSet<> sources; ///< sourceKey() of those that are populations

  dend::NetworkOp network();
};

/// The prefix that ends at the populations which send to `population`. It is a
/// copy of the whole module before it is cut, so that making one for each
/// population takes time quadratic in layers.
RoundedPrefix prefixBefore(dend::PopulationOp population,
                           const RoundedWeights &rounded);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_ROUNDEDPREFIX_H
