// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dend-dead-units: removes neurons of an integer network that never emit.

#include "compiler/transforms/Passes.h"
#include "compiler/transforms/network/RemoveNeurons.h"
#include "compiler/transforms/quantise/QuantisedLayer.h"
#include "compiler/transforms/rewrites/RewriteReport.h"
#include "compiler/transforms/rewrites/SpikeBounds.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {
#define GEN_PASS_DEF_DENDDEADUNITS
#include "compiler/transforms/Passes.h.inc"

namespace {
using namespace mlir;

constexpr llvm::StringLiteral kDeadUnits = "dead-units";
constexpr llvm::StringLiteral kDeadUnitsLooksFor =
    "neurons that emit nothing, of populations that no output of the network "
    "reads";

/// Ids as ranges: "0-3, 7".
std::string rangesOf(ArrayRef<int64_t> ids) {
  std::string text;
  for (size_t i = 0; i < ids.size();) {
    size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1)
      ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(ids[i]);
    if (last > i)
      text += "-" + std::to_string(ids[last]);
    i = last + 1;
  }
  return text;
}

bool isRead(dend::PopulationOp population) {
  auto network = population->getParentOfType<dend::NetworkOp>();
  return llvm::any_of(
      network.getOps<dend::OutputOp>(), [&](dend::OutputOp output) {
        return output.getPopulation() == population.getSymName();
      });
}

struct DendDeadUnitsPass : impl::DendDeadUnitsBase<DendDeadUnitsPass> {
  void runOnOperation() override {
    dend::NetworkOp network = getOperation();
    auto proved = neverEmitting(network);
    if (failed(proved))
      return signalPassFailure();
    std::vector<std::string> obstacles;
    bool changed = false;
    for (auto population : network.getOps<dend::PopulationOp>()) {
      std::string name = population.getSymName().str();
      const std::vector<int64_t> &sure = (*proved)[name];
      std::vector<int64_t> dead = sure;
      if (std::optional<ArrayRef<int64_t>> silent = population.getSilent())
        dead.assign(silent->begin(), silent->end());
      if (dead.empty() || isRead(population))
        continue;
      std::string why = whyNotRemovable(population);
      if (!why.empty()) {
        obstacles.push_back(fmt::format("'@{}' {}", name, why));
        continue;
      }
      auto total = int64_t(population.getSize());
      bool all = int64_t(dead.size()) == total;
      if (all)
        dead.erase(dead.begin());
      if (dead.empty()) {
        obstacles.push_back(fmt::format("'@{}' has one neuron", name));
        continue;
      }
      NetworkSize before = sizeOf(network);
      if (failed(removeNeurons(population, dead)))
        return signalPassFailure();
      population.setRemoved(dead);
      recordRewrite(network, kDeadUnits, name,
                    said(population, dead, sure, total, all), before,
                    rangesOf(dead));
      changed = true;
    }
    for (auto population : network.getOps<dend::PopulationOp>()) {
      population.removeSilentAttr();
      population.removeSilentSamplesAttr();
    }
    if (!changed) {
      appliesNowhere(network, kDeadUnits, kDeadUnitsLooksFor, obstacles);
      return signalPassFailure();
    }
    eraseUnusedSymbols(network);
  }

  static std::string said(dend::PopulationOp population, ArrayRef<int64_t> dead,
                          const std::vector<int64_t> &sure, int64_t total,
                          bool all) {
    auto certain = llvm::count_if(dead, [&](int64_t id) {
      return std::binary_search(sure.begin(), sure.end(), id);
    });
    auto rest = int64_t(dead.size()) - certain;
    std::string text = fmt::format(
        "{} of {} neurons of '@{}' removed: {} proved dead by integer bounds "
        "for any input",
        dead.size(), total, population.getSymName().str(), certain);
    if (std::optional<uint64_t> samples = population.getSilentSamples())
      text += fmt::format(", {} only seen silent on {} samples", rest,
                          int64_t(*samples));
    if (all)
      text += "; neuron 0 is dead too and stays, a population has one at least";
    return text + "; the others are renumbered in their order";
  }
};
} // namespace
} // namespace dendrolith
