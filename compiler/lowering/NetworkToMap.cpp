// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lowering/NetworkToMap.h"

#include "compiler/transforms/Synapses.h"

#include "dialects/dend/Constants.h"

#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace mlir;

namespace neurite {
namespace {

FailureOr<std::vector<int64_t>> readSymbol(Operation *from, Attribute symbol) {
  auto name = dyn_cast_or_null<FlatSymbolRefAttr>(symbol);
  auto constant =
      name ? SymbolTable::lookupNearestSymbolFrom<dend::ConstantOp>(from, name)
           : dend::ConstantOp();
  if (!constant || !constant.getValueAttr())
    return failure();
  return dend::readInts(constant.getValueAttr());
}

/// Reads the population's dend.cuba parameters by position in the op.
FailureOr<CubaTable> readCuba(dend::PopulationOp population,
                              dend::NeuronOp model) {
  CubaTable table;
  for (Operation &op : model.getBlock()) {
    if (auto cuba = dyn_cast<dend::CubaOp>(op))
      table.op = cuba;
    else if (!isa<dend::YieldOp>(op))
      return population.emitError("model '@")
             << population.getModel() << "' contains '"
             << op.getName().getStringRef()
             << "'; this version places only dend.cuba neurons on a chip";
  }
  if (!table.op)
    return population.emitError("model '@")
           << population.getModel()
           << "' is not an integer dend.cuba neuron; run --dend-quantise first";
  auto argument = [&](Value value) -> FailureOr<std::vector<int64_t>> {
    for (auto [i, arg] : llvm::enumerate(model.getParamArgs()))
      if (arg == value && population.getParamsAttr())
        return readSymbol(population, population.getParamsAttr().get(
                                          model.getParam(i).getName()));
    return failure();
  };
  auto state = [&](Value value) -> FailureOr<std::vector<int64_t>> {
    for (auto [i, arg] : llvm::enumerate(model.getStateArgs()))
      if (arg == value) {
        Attribute init = model.getState(i).getInit();
        if (!init)
          return std::vector<int64_t>();
        if (auto number = dyn_cast<IntegerAttr>(init))
          return std::vector<int64_t>{number.getInt()};
        return readSymbol(model, init);
      }
    return failure();
  };
  struct Field {
    const char *name;
    FailureOr<std::vector<int64_t>> values;
    std::vector<int64_t> *into;
  };
  Field fields[] = {
      {"decay_u", argument(table.op.getDecayU()), &table.decayU},
      {"decay_v", argument(table.op.getDecayV()), &table.decayV},
      {"threshold", argument(table.op.getThreshold()), &table.threshold},
      {"bias", argument(table.op.getBias()), &table.bias},
      {"initial u", state(table.op.getU()), &table.startU},
      {"initial v", state(table.op.getV()), &table.startV}};
  for (Field &field : fields) {
    if (failed(field.values))
      return population.emitError("its ")
             << field.name << " has no readable integer value";
    if (field.values->size() > 1 &&
        field.values->size() != static_cast<size_t>(population.getSize()))
      return population.emitError("its ")
             << field.name << " has " << field.values->size() << " values for "
             << population.getSize() << " neurons";
    *field.into = std::move(*field.values);
  }
  return table;
}

/// Numbers each distinct combination of values, per neuron.
template <typename Key>
std::vector<uint32_t>
profiles(size_t neurons, const std::vector<const std::vector<int64_t> *> &of,
         std::map<Key, uint32_t> &ids) {
  std::vector<uint32_t> profile;
  for (size_t n = 0; n < neurons; ++n) {
    Key key;
    for (const std::vector<int64_t> *values : of)
      key.push_back(values->empty() ? 0
                                    : (*values)[values->size() == 1 ? 0 : n]);
    profile.push_back(
        ids.emplace(key, static_cast<uint32_t>(ids.size())).first->second);
  }
  return profile;
}

FailureOr<MapProjection> toProjection(dend::ProjectOp project,
                                      const SynapseArrays<int64_t> &synapses) {
  MapProjection out;
  int64_t sources = sourceElements(project);
  out.begin.assign(sources + 1, 0);
  for (uint32_t source : synapses.source)
    ++out.begin[source + 1];
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  out.neuron.resize(synapses.size());
  out.weight.resize(synapses.size());
  std::vector<uint64_t> next(out.begin.begin(), out.begin.end() - 1);
  // Filling in target order leaves every source's row sorted.
  std::vector<uint32_t> order(synapses.size());
  std::iota(order.begin(), order.end(), 0);
  if (!std::is_sorted(synapses.target.begin(), synapses.target.end()))
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return synapses.target[a] < synapses.target[b];
    });
  for (uint32_t k : order) {
    int64_t weight = synapses.weight[k];
    if (weight < INT16_MIN || weight > INT16_MAX)
      return project.emitError("weight mantissa ")
             << weight << " does not fit 16 bits";
    uint64_t at = next[synapses.source[k]]++;
    out.neuron[at] = synapses.target[k];
    out.weight[at] = static_cast<int16_t>(weight);
  }
  for (int64_t s = 0; s < sources; ++s)
    for (uint64_t at = out.begin[s] + 1; at < out.begin[s + 1]; ++at)
      if (out.neuron[at] == out.neuron[at - 1])
        return project.emitError("source ")
               << s << " reaches target " << out.neuron[at]
               << " by two synapses of one projection; add their weights or "
                  "use two projections";
  return out;
}

FailureOr<int64_t> integer(Operation *op, StringRef name) {
  auto attr = op->getAttrOfType<IntegerAttr>(name);
  if (!attr)
    return op->emitError("has no '") << name << "'; run --dend-schedule first";
  return attr.getInt();
}

std::vector<double> ratesOf(Operation *op) {
  auto attr = op->getAttrOfType<ElementsAttr>("rates");
  auto rates =
      attr ? dend::readReals(attr) : FailureOr<std::vector<double>>(failure());
  return succeeded(rates) ? *rates : std::vector<double>();
}

} // namespace

FailureOr<LoweredNetwork> toMapNetwork(dend::NetworkOp network,
                                       uint32_t weightBits) {
  LoweredNetwork lowered;
  llvm::StringMap<uint32_t> inputIndex, populationIndex;
  for (auto input : network.getOps<dend::InputOp>()) {
    inputIndex[input.getSymName()] = lowered.inputs.size();
    lowered.inputs.push_back(input);
    auto type = cast<RankedTensorType>(input.getType());
    lowered.map.inputs.push_back(
        {input.getSymName().str(),
         static_cast<uint32_t>(type.getNumElements())});
    lowered.map.inputRate.push_back(ratesOf(input));
  }
  std::map<std::vector<int64_t>, uint32_t> decayIds, thresholdIds;
  for (auto population : network.getOps<dend::PopulationOp>()) {
    auto model = SymbolTable::lookupNearestSymbolFrom<dend::NeuronOp>(
        population, population.getModelAttr());
    auto cuba = readCuba(population, model);
    if (failed(cuba))
      return failure();
    auto phase = integer(population, "phase");
    if (failed(phase))
      return failure();
    populationIndex[population.getSymName()] = lowered.populations.size();
    MapPopulation out;
    out.name = population.getSymName().str();
    out.size = static_cast<uint32_t>(population.getSize());
    out.decayProfile =
        profiles(out.size, {&cuba->decayU, &cuba->decayV}, decayIds);
    out.thresholdProfile = profiles(out.size, {&cuba->threshold}, thresholdIds);
    lowered.map.populations.push_back(std::move(out));
    lowered.map.populationRate.push_back(ratesOf(population));
    lowered.map.hostOutput.push_back(0);
    lowered.populations.push_back({population, std::move(*cuba), *phase});
  }
  for (auto output : network.getOps<dend::OutputOp>())
    if (!output.getProbe())
      lowered.map.hostOutput[populationIndex.lookup(output.getPopulation())] =
          1;
  for (auto project : network.getOps<dend::ProjectOp>()) {
    auto delay = integer(project, "steps");
    auto synapses = readSynapses<int64_t>(project);
    if (failed(delay) || failed(synapses))
      return failure();
    auto out = toProjection(project, *synapses);
    if (failed(out))
      return failure();
    out->fromInput = inputIndex.count(project.getSource());
    out->source = out->fromInput ? inputIndex.lookup(project.getSource())
                                 : populationIndex.lookup(project.getSource());
    out->target = populationIndex.lookup(project.getTarget());
    out->delay = static_cast<uint32_t>(*delay);
    out->weightBits = weightBits;
    lowered.map.projections.push_back(std::move(*out));
    lowered.projections.push_back(project);
    lowered.shift.push_back(static_cast<uint32_t>(project.getShift()));
  }
  return lowered;
}

} // namespace neurite
