// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/LayerAgreement.h"

#include "runtime/session/TraceUnits.h"
#include "simulator/record/Traces.h"

#include <cmath>
#include <set>

namespace dendrolith::session {
namespace {

using Json = nlohmann::ordered_json;

/// The state of the other model that `name` means, -1 if there is none. The
/// synaptic current is `i` in NIR and `u` on a chip.
int findState(dend::NeuronOp model, const std::string &name) {
  int found = model.findState(name);
  return found < 0 && name == "u" ? model.findState("i") : found;
}

/// Whether a state holds modes of a dendrite, whose coordinates are free.
bool holdsModes(dend::NeuronOp model, unsigned state) {
  bool found = false;
  model.getBlock().walk([&](dend::BranchOp branch) {
    found |= branch.getState() == model.getStateArgs()[state];
  });
  return found;
}

/// Root mean square of own / units - other / otherUnits, in real units.
double rmsBetween(const Array &own, double units, const Array &other,
                  double otherUnits) {
  double squares = 0;
  for (uint64_t i = 0; i < own.size(); ++i) {
    const double gap = own.value(i) / units - other.value(i) / otherUnits;
    squares += gap * gap;
  }
  return own.size() ? std::sqrt(squares / double(own.size())) : 0;
}

double rmsOf(const Array &array, double units) {
  double squares = 0;
  for (uint64_t i = 0; i < array.size(); ++i)
    squares += array.value(i) / units * (array.value(i) / units);
  return array.size() ? std::sqrt(squares / double(array.size())) : 0;
}

/// The share of values that are not 0.
double rateOf(const Array &array) {
  uint64_t spikes = 0;
  for (uint64_t i = 0; i < array.size(); ++i)
    spikes += array.value(i) != 0;
  return array.size() ? double(spikes) / double(array.size()) : 0;
}

/// Both arrays have the axes (samples, steps, values of the layer).
Json firstDifference(const Array &own, const Array &other, uint64_t neurons) {
  for (uint64_t i = 0; i < own.size(); ++i) {
    if (own.value(i) == other.value(i))
      continue;
    const uint64_t steps = own.shape[1], width = own.shape[2];
    return {{"sample", i / width / steps},
            {"step", i / width % steps},
            {"neuron", i % width / std::max<uint64_t>(width / neurons, 1)},
            {"value", own.value(i)},
            {"other", other.value(i)}};
  }
  return nullptr;
}

uint64_t countDifferent(const Array &own, const Array &other) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < own.size(); ++i)
    count += own.value(i) != other.value(i);
  return count;
}

} // namespace

LayerAgreement::LayerAgreement(dend::NetworkOp own, dend::NetworkOp other,
                               const image::Program &program) {
  std::set<std::string> fixed; // populations of fixed-function neurons
  for (const image::Core &core : program.cores())
    for (const image::Group &group : core.groups())
      if (group.has_cuba())
        fixed.insert(group.population());
  for (auto population : own.getOps<dend::PopulationOp>()) {
    Layer &layer = layers.emplace_back();
    layer.name = population.getSymName().str();
    layer.neurons = population.getSize();
    auto beside =
        other.lookupSymbol<dend::PopulationOp>(population.getSymName());
    addOutputs(layer, population, beside);
    addStates(layer, population, beside, fixed.count(layer.name) > 0);
  }
}

void LayerAgreement::addOutputs(Layer &layer, dend::PopulationOp own,
                                dend::PopulationOp other) {
  dend::NeuronOp model = dend::modelOf(own);
  const bool isOnly = model.getOutputs().size() == 1;
  for (unsigned i = 0; i < model.getOutputs().size(); ++i) {
    Member member;
    member.name = model.getOutput(i).getName().getValue().str();
    // A request by name means a state first.
    if (!isOnly && model.findState(member.name) >= 0)
      continue;
    member.isOutput = true;
    member.units = unitsOfOutput(own, i);
    member.trace = {layer.name, isOnly ? std::string() : member.name};
    dend::NeuronOp beside = other ? dend::modelOf(other) : dend::NeuronOp();
    // A fixed-function neuron's only output has a name of its own.
    const int at = !beside ? -1
                   : isOnly && beside.getOutputs().size() == 1
                       ? 0
                       : beside.findOutput(member.name);
    if (at >= 0 && (isOnly || beside.findState(member.name) < 0)) {
      member.otherTrace = member.trace;
      member.otherUnits = unitsOfOutput(other, unsigned(at));
      member.isExact = beside.getOutput(unsigned(at)).getType().getKind() !=
                       dend::SpikeKind::Graded;
    }
    layer.members.push_back(std::move(member));
  }
}

void LayerAgreement::addStates(Layer &layer, dend::PopulationOp own,
                               dend::PopulationOp other, bool isFixed) {
  dend::NeuronOp model = dend::modelOf(own);
  for (unsigned i = 0; i < model.getStates().size(); ++i) {
    Member member;
    member.name = model.getState(i).getName().getValue().str();
    if (isFixed && member.name != "u" && member.name != "v")
      continue;
    member.units = unitsOfState(own, i);
    member.trace = {layer.name, member.name};
    dend::NeuronOp beside = other ? dend::modelOf(other) : dend::NeuronOp();
    const int at = beside ? findState(beside, member.name) : -1;
    if (at >= 0 && (other == own ||
                    (!holdsModes(beside, unsigned(at)) &&
                     !dend::isComplex(beside.getStateArgs()[at].getType())))) {
      member.otherTrace = {
          layer.name, beside.getState(unsigned(at)).getName().getValue().str()};
      member.otherUnits = unitsOfState(other, unsigned(at));
    }
    // A read-out that the float network sends is a state where a chip is read.
    const int sent = beside && at < 0 && beside.getOutputs().size() == 1 &&
                             model.getOutputs().empty()
                         ? beside.findOutput(member.name)
                         : -1;
    if (sent >= 0) {
      member.otherTrace = {layer.name, ""};
      member.otherUnits = unitsOfOutput(other, unsigned(sent));
    }
    layer.members.push_back(std::move(member));
  }
}

std::vector<sim::TraceRequest> LayerAgreement::ownTraces() const {
  std::vector<sim::TraceRequest> all;
  for (const Layer &layer : layers)
    for (const Member &member : layer.members)
      all.push_back(member.trace);
  return all;
}

std::vector<sim::TraceRequest> LayerAgreement::otherTraces() const {
  std::vector<sim::TraceRequest> all;
  for (const Layer &layer : layers)
    for (const Member &member : layer.members)
      if (member.otherTrace)
        all.push_back(*member.otherTrace);
  return all;
}

Json LayerAgreement::compareOutput(const Layer &layer, const Member &member,
                                   const Array &own, const Array *other) {
  Json row = {{"name", member.name},
              {"values", own.size()},
              {"different", nullptr},
              {"rate", rateOf(own)},
              {"other_rate", nullptr},
              {"first_difference", nullptr},
              {"units_per_real", member.units},
              {"rms", nullptr}};
  if (!other)
    return row;
  row["other_rate"] = rateOf(*other);
  if (member.isExact) {
    row["different"] = countDifferent(own, *other);
    row["first_difference"] = firstDifference(own, *other, layer.neurons);
  } else {
    row["rms"] = rmsBetween(own, member.units, *other, member.otherUnits);
  }
  return row;
}

Json LayerAgreement::compareState(const Member &member, const Array &own,
                                  const Array *other) {
  Json row = {{"name", member.name},
              {"units_per_real", member.units},
              {"rms", nullptr},
              {"other_rms", nullptr}};
  if (other) {
    row["rms"] = rmsBetween(own, member.units, *other, member.otherUnits);
    row["other_rms"] = rmsOf(*other, member.otherUnits);
  }
  return row;
}

Json LayerAgreement::compare(const Recording &own,
                             const Recording &other) const {
  Json rows = Json::array();
  for (const Layer &layer : layers) {
    Json row = {{"population", layer.name},
                {"neurons", layer.neurons},
                {"outputs", Json::array()},
                {"states", Json::array()}};
    for (const Member &member : layer.members) {
      const Array &mine = own.traces.at(sim::textOf(member.trace));
      const Array *theirs =
          member.otherTrace ? &other.traces.at(sim::textOf(*member.otherTrace))
                            : nullptr;
      // Units that a rewrite removed leave nothing to compare with.
      if (theirs && theirs->shape != mine.shape)
        theirs = nullptr;
      if (member.isOutput)
        row["outputs"].push_back(compareOutput(layer, member, mine, theirs));
      else
        row["states"].push_back(compareState(member, mine, theirs));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace dendrolith::session
