// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `dend.network` of a wired NIR graph.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_BUILD_H
#define DENDROLITH_COMPILER_IMPORT_NIR_BUILD_H

#include "compiler/import/nir/Neuron.h"
#include "compiler/import/nir/Wiring.h"

namespace dendrolith::nir {

/// Creates the network `name` at the builder's insertion point.
void buildNetwork(mlir::OpBuilder &builder, const std::string &name,
                  const Graph &graph, const Policy &policy,
                  const std::vector<Projection> &projections);

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_BUILD_H
