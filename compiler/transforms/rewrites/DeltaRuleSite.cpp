// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/rewrites/DeltaRuleSite.h"

#include "compiler/transforms/network/Synapses.h"

#include "dialects/dend/Constants.h"

#include <fmt/format.h>

using namespace mlir;

namespace dendrolith {

DeltaRuleSite::DeltaRuleSite(dend::PopulationOp population)
    : population(population), model(dend::modelOf(population)),
      network(population->getParentOfType<dend::NetworkOp>()) {}

bool DeltaRuleSite::hasRule() {
  auto rules = model.getBlock().getOps<dend::DeltaRuleOp>();
  if (rules.empty())
    return false;
  rule = *rules.begin();
  return true;
}

std::string DeltaRuleSite::match() {
  for (auto part : {&DeltaRuleSite::matchBody, &DeltaRuleSite::matchReaders,
                    &DeltaRuleSite::matchKey})
    if (std::string why = (this->*part)(); !why.empty())
      return why;
  return "";
}

std::string DeltaRuleSite::matchBody() {
  if (population.getSize() != 1)
    return fmt::format("has {} neurons", population.getSize());
  Value u = rule.getState(), a = rule.getKey(), next = rule.getResult();
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  auto isState = llvm::find(model.getStateArgs(), u);
  auto isPort = llvm::find(model.getPortArgs(), a);
  if (dend::shapeOf(u.getType()).size() != 1 || !dend::isReal(u.getType()) ||
      isState == model.getStateArgs().end() ||
      isPort == model.getPortArgs().end())
    return "has a delta rule whose state or key is computed, or a matrix";
  state = unsigned(isState - model.getStateArgs().begin());
  port = unsigned(isPort - model.getPortArgs().begin());
  prediction = rule.getPrediction().getDefiningOp<dend::DotOp>();
  bool ofBoth =
      prediction && ((prediction.getLhs() == u && prediction.getRhs() == a) ||
                     (prediction.getLhs() == a && prediction.getRhs() == u));
  if (!ofBoth)
    return "predicts something else than state . key";
  if (yield.getStates()[state] != next)
    return "changes its state beside the delta rule";
  Attribute init = model.getState(state).getInit();
  auto number = dyn_cast_or_null<FloatAttr>(init);
  if (init && !(number && number.getValue().isZero()))
    return "does not start at zero";
  unsigned emissions = 0;
  for (auto [i, value] : llvm::enumerate(yield.getEmitted()))
    if (value == u || value == next) {
      emitted = unsigned(i);
      ++emissions;
    }
  if (emissions != 1)
    return "does not emit its state";
  auto knows = [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return user == rule || user == prediction || user == yield;
  };
  if (!llvm::all_of(u.getUses(), knows) || !llvm::all_of(a.getUses(), knows) ||
      !llvm::all_of(next.getUses(), knows) ||
      llvm::is_contained(yield.getEmitted(), a) ||
      llvm::is_contained(yield.getStates(), u) ||
      llvm::is_contained(yield.getStates(), a) ||
      llvm::count(yield.getStates(), next) != 1)
    return "uses its state or key for more than rule, prediction and output";
  elements = dend::elementCount(u.getType());
  return "";
}

std::string DeltaRuleSite::matchReaders() {
  StringRef name = population.getSymName();
  dend::OutputAttr output = model.getOutput(emitted);
  StringAttr stateName = model.getState(state).getName();
  for (auto seen : network.getOps<dend::OutputOp>())
    if (seen.getPopulation() == name &&
        seen.getFromAttr() == (seen.getProbe() ? stateName : output.getName()))
      return "shows its state as an output of the network";
  for (auto project : network.getOps<dend::ProjectOp>()) {
    if (project.getSource() != name ||
        project.getOutput().value_or(output.getName()) != output.getName())
      continue;
    if (!isa<dend::DenseAttr>(project.getSynapses()) ||
        failed(dend::readReals(project, project.getWeightAttr())))
      return "is read by synapses that are not dense, or whose weights are not "
             "at hand (extern)";
    readers.push_back(project);
  }
  return readers.empty() ? "feeds nothing" : "";
}

std::string DeltaRuleSite::matchKey() {
  unsigned found = 0;
  for (auto project : network.getOps<dend::ProjectOp>())
    if (project.getTarget() == population.getSymName() &&
        project.getPort() == model.getPort(port).getName().getValue()) {
      key = project;
      ++found;
    }
  if (found != 1 || key.getBiasAttr() ||
      !isa<dend::DenseAttr>(key.getSynapses()))
    return "has a key that is not fed by exactly one dense projection without "
           "bias";
  auto read = dend::readReals(key, key.getWeightAttr());
  if (failed(read))
    return "has a key whose weights are not at hand (extern)";
  weights = std::move(*read);
  sources = sourceElements(key);
  for (int64_t s = 0; s < sources; ++s)
    for (int64_t i = 0; i < elements; ++i)
      if (weight(i, s) != 0) {
        columns.push_back(s);
        break;
      }
  if (rank() == 0 || rank() >= elements)
    return fmt::format(
        "has a state of {} elements, not more than the {} inputs "
        "of its key",
        elements, rank());
  return "";
}

} // namespace dendrolith
