// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/network/Names.h"

#include "dialects/dend/NetworkIndex.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

namespace dendrolith {

static mlir::StringRef symbolNameOf(mlir::Operation &op) {
  return llvm::TypeSwitch<mlir::Operation *, mlir::StringRef>(&op)
      .Case<dend::ConstantOp, dend::PopulationOp, dend::NeuronOp, dend::InputOp,
            dend::OutputOp, dend::ClockOp>(
          [](auto symbol) { return symbol.getSymName(); })
      .Default([](mlir::Operation *) { return mlir::StringRef(); });
}

std::string freeName(dend::NetworkOp network, const std::string &wanted) {
  if (dend::NetworkIndex *index = dend::NetworkIndex::around(network))
    return index->freeName(wanted);
  // One walk for all numbers behind `wanted`, as a name may be taken often.
  llvm::StringSet<> taken;
  for (mlir::Operation &op : network.getBody().front())
    if (mlir::StringRef name = symbolNameOf(op); name.starts_with(wanted))
      taken.insert(name);
  std::string name = wanted;
  for (int i = 1; taken.contains(name); ++i)
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
