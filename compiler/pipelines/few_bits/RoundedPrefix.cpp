// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/RoundedPrefix.h"

#include "compiler/pipelines/few_bits/Activity.h"
#include "compiler/pipelines/few_bits/RealConstant.h"

#include "dialects/dend/NetworkIndex.h"

using namespace mlir;

namespace dendrolith {
namespace {

std::vector<int64_t> shapeOf(dend::ProjectOp project, FlatSymbolRefAttr of) {
  auto constant = dend::symbolOf<dend::ConstantOp>(project, of);
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(constant.getType()).getShape();
  return {shape.begin(), shape.end()};
}

/// `kept` and every population or input that leads there.
llvm::StringSet<> ancestorsOf(dend::NetworkOp network,
                              const llvm::StringSet<> &kept) {
  dend::NetworkIndex index(network);
  llvm::StringSet<> needed = kept;
  std::vector<dend::PopulationOp> next;
  for (auto population : network.getOps<dend::PopulationOp>())
    if (kept.contains(population.getSymName()))
      next.push_back(population);
  while (!next.empty()) {
    dend::PopulationOp population = next.back();
    next.pop_back();
    for (dend::ProjectOp project : dend::projectionsInto(population)) {
      if (!needed.insert(project.getSource()).second)
        continue;
      if (auto source = dend::symbolOf<dend::PopulationOp>(
              project, project.getSourceAttr()))
        next.push_back(source);
    }
  }
  return needed;
}

/// Removes every output, and every population that does not lead to one of
/// `kept`, which stay.
void keepAncestors(dend::NetworkOp network, const llvm::StringSet<> &kept) {
  const llvm::StringSet<> needed = ancestorsOf(network, kept);
  for (Operation &op : llvm::make_early_inc_range(network.getBody().front())) {
    auto project = dyn_cast<dend::ProjectOp>(op);
    if (isa<dend::OutputOp>(op) ||
        (project && !needed.contains(project.getTarget())))
      op.erase();
  }
  for (auto population :
       llvm::make_early_inc_range(network.getOps<dend::PopulationOp>()))
    if (!needed.contains(population.getSymName()))
      population.erase();
}

} // namespace

dend::NetworkOp RoundedPrefix::network() { return dend::networkIn(*module); }

RoundedPrefix prefixBefore(dend::PopulationOp population,
                           const RoundedWeights &rounded) {
  RoundedPrefix prefix;
  llvm::StringSet<> ends;
  for (dend::ProjectOp project : dend::projectionsInto(population))
    if (dend::symbolOf<dend::PopulationOp>(project, project.getSourceAttr())) {
      prefix.sources.insert(sourceKey(project));
      ends.insert(project.getSource());
    }
  if (ends.empty())
    return prefix;
  prefix.module =
      cast<ModuleOp>(population->getParentOfType<ModuleOp>()->clone());
  dend::NetworkOp network = prefix.network();
  auto whole = population->getParentOfType<dend::NetworkOp>();
  for (auto [real, other] : llvm::zip(whole.getOps<dend::ProjectOp>(),
                                      network.getOps<dend::ProjectOp>()))
    if (auto weights = rounded.find(real); weights != rounded.end()) {
      auto target = network.lookupSymbol<dend::PopulationOp>(other.getTarget());
      other.setWeightAttr(makeReals(target, "rounded",
                                    shapeOf(other, other.getWeightAttr()),
                                    weights->second));
    }
  keepAncestors(network, ends);
  return prefix;
}

} // namespace dendrolith
