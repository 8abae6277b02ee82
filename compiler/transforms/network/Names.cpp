// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/Names.h"

#include "mlir/IR/SymbolTable.h"

namespace neurite {

std::string freeName(dend::NetworkOp network, const std::string &wanted) {
  std::string name = wanted;
  for (int i = 1; mlir::SymbolTable::lookupSymbolIn(network, name); ++i)
    name = wanted + "_" + std::to_string(i);
  return name;
}

} // namespace neurite
