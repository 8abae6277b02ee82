// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// New names for what a pass adds to a network, and an end for what nothing
// names any more.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_NETWORK_NAMES_H
#define DENDROLITH_COMPILER_TRANSFORMS_NETWORK_NAMES_H

#include "dialects/dend/Dend.h"

#include <string>

namespace dendrolith {

/// A symbol that is not taken yet: `wanted`, or that with "_1", "_2", ...
/// behind it.
std::string freeName(dend::NetworkOp network, const std::string &wanted);

/// The symbols that operations of the network name, from one walk for all of
/// them.
llvm::DenseSet<mlir::StringAttr> usedSymbols(dend::NetworkOp network);

/// Erases the operations of a kind that nothing names.
template <typename Op> void eraseUnused(dend::NetworkOp network) {
  llvm::DenseSet<mlir::StringAttr> used = usedSymbols(network);
  for (Op op : llvm::make_early_inc_range(network.getOps<Op>()))
    if (!used.contains(op.getSymNameAttr()))
      op.erase();
}

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_NETWORK_NAMES_H
