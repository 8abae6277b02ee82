// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header has lookups in a network that do not walk over all of it. MLIR
// finds a symbol by a walk over the operations beside it, so that a pass which
// asks for some symbols of every layer takes time quadratic in layers.

#ifndef DENDROLITH_DIALECTS_DEND_NETWORKINDEX_H
#define DENDROLITH_DIALECTS_DEND_NETWORKINDEX_H

#include "dialects/dend/Dend.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace dendrolith::dend {

/// The symbols of a network and its projections by their ends, found in one
/// walk. While one lives, the functions below answer from it for its network on
/// its thread; nobody needs to be handed it. A pass opens one around work that
/// erases or renames no symbol of the network, and adds or rewires no
/// projection. It may add symbols whose names come from `freeName`.
class NetworkIndex {
public:
  explicit NetworkIndex(NetworkOp network);
  ~NetworkIndex();
  NetworkIndex(const NetworkIndex &) = delete;
  NetworkIndex &operator=(const NetworkIndex &) = delete;

  /// The youngest that lives for the network around `op`; null if none does.
  static NetworkIndex *around(mlir::Operation *op);

  /// The operation of that name, null if there is none.
  mlir::Operation *find(mlir::StringAttr name);
  /// A name that no symbol has, which is taken from now on.
  std::string freeName(const std::string &wanted);
  llvm::ArrayRef<ProjectOp> into(mlir::StringAttr population) const;
  llvm::ArrayRef<ProjectOp> outOf(mlir::StringAttr source) const;

private:
  using ByEnd = llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<ProjectOp>>;

  void listSymbols();

  NetworkOp network;
  NetworkIndex *older; // of this thread
  // Null where the name is taken, but nobody has asked for the operation yet.
  llvm::DenseMap<mlir::StringAttr, mlir::Operation *> symbols;
  ByEnd byTarget, bySource;
  llvm::StringMap<int> suffix; // tried last, by the name that was wanted
};

/// The network of a module; null where it has none.
inline NetworkOp networkIn(mlir::ModuleOp module) {
  auto networks = module.getOps<NetworkOp>();
  return networks.empty() ? NetworkOp() : *networks.begin();
}

/// What `name` names in the network around `from`, null if it names nothing or
/// is null itself.
mlir::Operation *symbolOf(mlir::Operation *from, mlir::FlatSymbolRefAttr name);

/// The same, null also where it is no Op.
template <typename Op>
Op symbolOf(mlir::Operation *from, mlir::FlatSymbolRefAttr name) {
  return llvm::dyn_cast_or_null<Op>(symbolOf(from, name));
}

/// The projections that end or begin at a population, in the network's order.
llvm::SmallVector<ProjectOp> projectionsInto(PopulationOp population);
llvm::SmallVector<ProjectOp> projectionsOutOf(PopulationOp population);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_NETWORKINDEX_H
