// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/RewriteReport.h"

#include "compiler/transforms/network/Synapses.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace neurite {

constexpr llvm::StringLiteral kRewrites = "rewrites";

int64_t synapsesOf(dend::ProjectOp project) {
  auto weight = project.getWeightAttr()
                    ? SymbolTable::lookupNearestSymbolFrom<dend::ConstantOp>(
                          project, project.getWeightAttr())
                    : dend::ConstantOp();
  return weight ? cast<RankedTensorType>(weight.getType()).getNumElements()
                : targetElements(project);
}

NetworkSize sizeOf(dend::NetworkOp network) {
  NetworkSize size;
  for (auto population : network.getOps<dend::PopulationOp>())
    size.neurons += int64_t(population.getSize());
  for (auto project : network.getOps<dend::ProjectOp>())
    size.synapses += synapsesOf(project);
  return size;
}

void recordRewrite(dend::NetworkOp network, StringRef rewrite,
                   StringRef population, const std::string &detail,
                   NetworkSize before, const std::string &removedIds) {
  Builder builder(network.getContext());
  NetworkSize after = sizeOf(network);
  NamedAttrList row;
  auto number = [&](StringRef key, int64_t value) {
    row.set(key, builder.getI64IntegerAttr(value));
  };
  row.set("rewrite", builder.getStringAttr(rewrite));
  row.set("population", builder.getStringAttr(population));
  row.set("detail", builder.getStringAttr(detail));
  number("neurons_before", before.neurons);
  number("neurons_after", after.neurons);
  number("synapses_before", before.synapses);
  number("synapses_after", after.synapses);
  if (!removedIds.empty())
    row.set("removed_ids", builder.getStringAttr(removedIds));
  SmallVector<Attribute> rows;
  if (auto soFar = network->getAttrOfType<ArrayAttr>(kRewrites))
    rows.assign(soFar.begin(), soFar.end());
  rows.push_back(row.getDictionary(network.getContext()));
  network->setAttr(kRewrites, builder.getArrayAttr(rows));
}

void recordVerified(dend::NetworkOp network, ArrayRef<StringRef> rewrites,
                    const std::string &verified) {
  auto rows = network->getAttrOfType<ArrayAttr>(kRewrites);
  if (!rows)
    return;
  Builder builder(network.getContext());
  SmallVector<Attribute> all;
  for (Attribute attr : rows) {
    NamedAttrList row(cast<DictionaryAttr>(attr));
    auto name = cast<StringAttr>(row.get("rewrite"));
    if (llvm::is_contained(rewrites, name.getValue()) && !row.get("verified"))
      row.set("verified", builder.getStringAttr(verified));
    all.push_back(row.getDictionary(network.getContext()));
  }
  network->setAttr(kRewrites, builder.getArrayAttr(all));
}

InFlightDiagnostic appliesNowhere(dend::NetworkOp network, StringRef rewrite,
                                  StringRef looksFor,
                                  ArrayRef<std::string> obstacles) {
  InFlightDiagnostic diagnostic =
      emitError(network.getLoc())
      << "rewrite '" << rewrite << "' applies nowhere in '@"
      << network.getSymName() << "': it looks for " << looksFor;
  for (const std::string &obstacle : obstacles)
    diagnostic << "; " << obstacle;
  diagnostic << "; leave it out";
  return diagnostic;
}

} // namespace neurite
