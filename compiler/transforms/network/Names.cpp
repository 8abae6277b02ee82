// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/Names.h"

#include "dialects/dend/NetworkIndex.h"

#include "mlir/IR/SymbolTable.h"

namespace dendrolith {

std::string freeName(dend::NetworkOp network, const std::string &wanted) {
  if (dend::NetworkIndex *index = dend::NetworkIndex::around(network))
    return index->freeName(wanted);
  std::string name = wanted;
  for (int i = 1; mlir::SymbolTable::lookupSymbolIn(network, name); ++i)
    name = wanted + "_" + std::to_string(i);
  return name;
}

llvm::DenseSet<mlir::StringAttr> usedSymbols(dend::NetworkOp network) {
  llvm::DenseSet<mlir::StringAttr> used;
  network->walk([&](mlir::Operation *op) {
    for (mlir::NamedAttribute attr : op->getAttrs())
      attr.getValue().walk([&](mlir::SymbolRefAttr symbol) {
        used.insert(symbol.getRootReference());
      });
  });
  return used;
}

} // namespace dendrolith
