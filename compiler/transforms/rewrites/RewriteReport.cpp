// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/RewriteReport.h"

#include "compiler/transforms/network/Synapses.h"

#include "dialects/dend/NetworkIndex.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace dendrolith {

int64_t synapsesOf(dend::ProjectOp project) {
  auto weight =
      dend::symbolOf<dend::ConstantOp>(project, project.getWeightAttr());
  return weight ? cast<RankedTensorType>(weight.getType()).getNumElements()
                : targetElements(project);
}

NetworkSize sizeOf(dend::NetworkOp network) {
  dend::NetworkIndex index(network);
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
  NetworkSize after = sizeOf(network);
  report::RewriteRowAttr::Fields row;
  row.rewrite = rewrite.str();
  row.population = population.str();
  row.detail = detail;
  row.neurons_before = before.neurons;
  row.neurons_after = after.neurons;
  row.synapses_before = before.synapses;
  row.synapses_after = after.synapses;
  row.removed_ids = removedIds;
  network.setRewritesAttr(
      report::appended(network.getRewritesAttr(),
                       report::RewriteRowAttr::of(network.getContext(), row)));
}

void recordVerified(dend::NetworkOp network, ArrayRef<StringRef> rewrites,
                    const std::string &verified) {
  ArrayAttr rows = network.getRewritesAttr();
  if (!rows)
    return;
  SmallVector<Attribute> all;
  for (auto attr : rows.getAsRange<report::RewriteRowAttr>()) {
    report::RewriteRowAttr::Fields row = attr.fields();
    if (llvm::is_contained(rewrites, row.rewrite) && row.verified.empty())
      row.verified = verified;
    all.push_back(report::RewriteRowAttr::of(network.getContext(), row));
  }
  network.setRewritesAttr(ArrayAttr::get(network.getContext(), all));
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

} // namespace dendrolith
