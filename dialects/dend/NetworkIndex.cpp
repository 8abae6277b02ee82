// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This file has the index of a network's symbols and projections.
#include "dialects/dend/NetworkIndex.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace dendrolith::dend {

// Passes on different networks may run on different threads.
static thread_local NetworkIndex *youngest = nullptr;

NetworkIndex::NetworkIndex(NetworkOp network)
    : network(network), older(youngest) {
  listSymbols();
  for (Operation &op : network.getBody().front()) {
    if (auto project = llvm::dyn_cast<ProjectOp>(op)) {
      byTarget[project.getTargetAttr().getAttr()].push_back(project);
      bySource[project.getSourceAttr().getAttr()].push_back(project);
    }
  }
  youngest = this;
}

/// Lists those that are not listed yet.
void NetworkIndex::listSymbols() {
  for (Operation &op : network.getBody().front())
    if (auto symbol = llvm::dyn_cast<SymbolOpInterface>(op))
      if (Operation *&slot = symbols[symbol.getNameAttr()]; !slot)
        slot = &op;
}

NetworkIndex::~NetworkIndex() { youngest = older; }

NetworkIndex *NetworkIndex::around(Operation *op) {
  if (!youngest)
    return nullptr;
  NetworkOp network =
      llvm::isa<NetworkOp>(op) ? llvm::cast<NetworkOp>(op) : networkOf(op);
  NetworkIndex *index = youngest;
  while (index && index->network != network)
    index = index->older;
  return index;
}

Operation *NetworkIndex::find(StringAttr name) {
  if (Operation *known = symbols.lookup(name))
    return known;
  // It was added since, as were others that will be asked for, or there is
  // none.
  listSymbols();
  return symbols.lookup(name);
}

std::string NetworkIndex::freeName(const std::string &wanted) {
  auto take = [&](const std::string &name) {
    auto attr = StringAttr::get(network.getContext(), name);
    return symbols.insert({attr, nullptr}).second;
  };
  if (take(wanted))
    return wanted;
  // Names are never given back, so that those tried before are still taken.
  int &last = suffix[wanted];
  std::string name;
  do
    name = wanted + "_" + std::to_string(++last);
  while (!take(name));
  return name;
}

static ArrayRef<ProjectOp>
of(const llvm::DenseMap<StringAttr, SmallVector<ProjectOp>> &byEnd,
   StringAttr name) {
  auto found = byEnd.find(name);
  return found == byEnd.end() ? ArrayRef<ProjectOp>()
                              : ArrayRef<ProjectOp>(found->second);
}

ArrayRef<ProjectOp> NetworkIndex::into(StringAttr population) const {
  return of(byTarget, population);
}

ArrayRef<ProjectOp> NetworkIndex::outOf(StringAttr source) const {
  return of(bySource, source);
}

Operation *symbolOf(Operation *from, FlatSymbolRefAttr name) {
  if (!name)
    return nullptr;
  if (NetworkIndex *index = NetworkIndex::around(from))
    return index->find(name.getAttr());
  return SymbolTable::lookupNearestSymbolFrom(from, name);
}

SmallVector<ProjectOp> projectionsInto(PopulationOp population) {
  if (NetworkIndex *index = NetworkIndex::around(population))
    return llvm::to_vector(index->into(population.getSymNameAttr()));
  SmallVector<ProjectOp> found;
  for (ProjectOp project : networkOf(population).getOps<ProjectOp>())
    if (project.getTarget() == population.getSymName())
      found.push_back(project);
  return found;
}

SmallVector<ProjectOp> projectionsOutOf(PopulationOp population) {
  if (NetworkIndex *index = NetworkIndex::around(population))
    return llvm::to_vector(index->outOf(population.getSymNameAttr()));
  SmallVector<ProjectOp> found;
  for (ProjectOp project : networkOf(population).getOps<ProjectOp>())
    if (project.getSource() == population.getSymName())
      found.push_back(project);
  return found;
}

} // namespace dendrolith::dend
