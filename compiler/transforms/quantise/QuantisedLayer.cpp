// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The real numbers of a population brought into the form the chip has: biases
// of the current moved into the membrane, reset values moved to zero, gains
// folded into weights, and the ranges its states need.

#include "compiler/transforms/quantise/QuantisedLayer.h"
#include "compiler/transforms/quantise/LayerBits.h"
#include "compiler/transforms/quantise/QuantiseSynapses.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace dendrolith {
namespace {

// Room above the calibrated range: a wrapped current is a disaster, a clipped
// potential a nuisance.
constexpr double kCurrentMargin = 2.0, kLeastCurrentMargin = 1.25,
                 kPotentialMargin = 1.25;
// Without calibration: room for v above the threshold (facts: 8 bits).
constexpr double kBlindHeadroom = 256;
// The width of an input's integers, if nobody gives one.
constexpr uint64_t kUsualInputBits = 8;

/// Per-neuron bias of all projections into the population.
FailureOr<std::vector<double>> inputBias(QuantisedLayer &layer) {
  std::vector<double> bias(layer.population.getSize(), 0.0);
  for (dend::ProjectOp project : layer.projections) {
    if (!project.getBiasAttr())
      continue;
    auto values = dend::readReals(project, project.getBiasAttr());
    if (failed(values) || values->size() != bias.size())
      return project.emitError("its bias '@")
             << *project.getBias() << "' has no readable value per target";
    for (size_t n = 0; n < bias.size(); ++n)
      bias[n] += (*values)[n];
  }
  return bias;
}

/// Initial value of a state for each neuron.
FailureOr<std::vector<double>> initialState(QuantisedLayer &layer, int index) {
  size_t n = layer.population.getSize();
  if (index < 0)
    return std::vector<double>(n, 0.0);
  Attribute init = layer.model.getState(index).getInit();
  if (!init)
    return std::vector<double>(n, 0.0);
  if (auto number = dyn_cast<FloatAttr>(init))
    return std::vector<double>(n, number.getValueAsDouble());
  auto values = dend::readReals(layer.model, init);
  if (succeeded(values) && values->size() == n)
    return *values;
  return layer.population.emitError("the initial value of state '")
         << layer.model.getState(index).getName().getValue()
         << "' cannot be read for " << n << " neurons";
}

/// Moves the current's bias into the membrane's and the reset value to zero.
///   i' = kI i + g (Wx + b)          with i = j + B, B = g b / (1 - kI):
///   j' = kI j + g Wx,  v' = kV v + gV j' + (gV B + offset)
///   v = w + r:  w' = kV w + ... + (kV - 1) r
LogicalResult foldConstants(QuantisedLayer &layer) {
  auto bias = inputBias(layer);
  auto startI = initialState(layer, layer.shape.synapseState);
  auto startV = initialState(layer, layer.shape.membraneState);
  if (failed(bias) || failed(startI) || failed(startV))
    return failure();
  const CubaReals &reals = layer.reals;
  for (size_t n = 0; n < bias->size(); ++n) {
    double settled = 0; // B
    if ((*bias)[n] != 0 && layer.shape.synapse) {
      if (reals.keepI[n] >= 1)
        return layer.population.emitError("neuron ")
               << n
               << " has a bias on a synaptic current that never decays; "
                  "the chip has no place for it";
      settled = reals.gainI[n] * (*bias)[n] / (1 - reals.keepI[n]);
    } else {
      settled = reals.gainI[n] * (*bias)[n];
    }
    layer.settled.push_back(settled);
    double reset = reals.resetTo[n];
    layer.bias.push_back(reals.gainV[n] * settled + reals.offset[n] +
                         (reals.keepV[n] - 1) * reset);
    layer.startU.push_back(
        layer.shape.synapse ? reals.gainV[n] * ((*startI)[n] - settled) : 0.0);
    layer.startV.push_back((*startV)[n] - reset);
  }
  return success();
}

/// What payload 1 adds to v by each weight of the constant, or nothing where
/// one weight serves neurons of different gains.
std::optional<ProjectionWeights>
scaleWeights(const SynapseArrays<double> &synapses,
             const std::vector<double> &gain) {
  std::vector<double> scaled(synapses.weights.size(), 0.0);
  std::vector<bool> seen(scaled.size(), false);
  for (size_t k = 0; k < synapses.size(); ++k) {
    size_t at = synapses.indexOf(k);
    double weight = synapses.weights[at] * gain[synapses.target[k]];
    if (seen[at] && scaled[at] != weight)
      return std::nullopt;
    seen[at] = true;
    scaled[at] = weight;
  }
  ProjectionWeights weights;
  for (double weight : scaled)
    weights.add(weight);
  return weights;
}

/// Counts each neuron in its own step.
void applyFactors(QuantisedLayer &layer) {
  if (!layer.factors)
    return;
  for (size_t n = 0; n < layer.bias.size(); ++n)
    for (std::vector<double> *values :
         {&layer.bias, &layer.startU, &layer.startV, &layer.reals.theta,
          &layer.reals.resetTo})
      if (n < values->size())
        (*values)[n] *= layer.factors->factor[n];
}

LogicalResult readWeights(QuantisedLayer &layer, const NumberFormats &formats,
                          const WeightChoices &choices,
                          std::vector<double> &worst) {
  worst.assign(layer.population.getSize(), 0.0);
  for (dend::ProjectOp project : layer.projections) {
    auto payload = payloadOf(project);
    poolingToConvolution(project);
    auto synapses = readSynapses<double>(project);
    if (failed(payload) || failed(synapses))
      return failure();
    std::vector<double> gain(worst.size());
    for (size_t n = 0; n < gain.size(); ++n)
      gain[n] = layer.reals.gainI[n] * layer.reals.gainV[n] * payload->unit *
                (layer.factors ? layer.factors->factor[n] : 1.0);
    auto weights = scaleWeights(*synapses, gain);
    if (!weights) {
      if (failed(spreadWeights(project)) ||
          failed(synapses = readSynapses<double>(project)))
        return failure();
      weights = scaleWeights(*synapses, gain);
    }
    if (const ChosenWeights *chosen = choices.find(project)) {
      weights->chosen = chosen->mantissas;
      weights->step = chosen->step * payload->unit;
    }
    for (size_t k = 0; k < synapses->size(); ++k) {
      uint32_t n = synapses->target[k];
      double most = std::fabs(synapses->weight(k) * gain[n]);
      if (!weights->chosen.empty())
        most = std::max(
            most, std::fabs(double(weights->chosen[synapses->indexOf(k)])) *
                      weights->step);
      worst[n] += most * payload->largest;
    }
    weights->bits = weightBitsOf(project).value_or(0);
    if (failed(checkSigns(project, weights->mixed,
                          narrowed(formats, weights->bits))))
      return failure();
    layer.weights.push_back(std::move(*weights));
  }
  return success();
}

/// The largest magnitude of a state in the steps of its neurons, `seen` being
/// that of all neurons in reals.
double largestOf(const QuantisedLayer &layer, double seen,
                 std::vector<double> NeuronFactors::*byNeuron) {
  if (!layer.factors)
    return seen;
  const std::vector<double> &factor = layer.factors->factor,
                            &each = layer.factors->*byNeuron;
  double largest = 0;
  for (size_t n = 0; n < factor.size(); ++n)
    largest = std::max(largest, factor[n] * (n < each.size() ? each[n] : seen));
  return largest;
}

void chooseBounds(QuantisedLayer &layer, const std::vector<double> &worst) {
  const CubaReals &reals = layer.reals;
  double staticU = 0, staticV = 0, onceV = 0, largestGain = 0;
  double largestStart = 0;
  for (size_t n = 0; n < worst.size(); ++n) {
    // A current that never decays has no static bound.
    double u = worst[n] * (reals.keepI[n] < 1 ? 1 / (1 - reals.keepI[n])
                                              : kBlindHeadroom) +
               std::fabs(layer.startU[n]);
    largestStart = std::max(largestStart, std::fabs(layer.startU[n]));
    double once = u + std::fabs(layer.bias[n]);
    staticU = std::max(staticU, u);
    staticV = std::max(staticV, once / (1 - reals.keepV[n]));
    onceV = std::max(onceV, once);
    largestGain = std::max(largestGain, std::fabs(reals.gainV[n]));
    layer.bounds.bias = std::max(layer.bounds.bias, std::fabs(layer.bias[n]));
    if (!layer.shape.fire)
      continue;
    const double theta = reals.theta[n] - reals.resetTo[n];
    layer.bounds.threshold = std::max(layer.bounds.threshold, theta);
    layer.bounds.thresholds.push_back(theta);
  }
  layer.bounds.inclusive = layer.shape.fire && layer.shape.fire.getInclusive();
  std::vector<double> &thresholds = layer.bounds.thresholds;
  llvm::sort(thresholds);
  thresholds.erase(llvm::unique(thresholds), thresholds.end());
  auto stateRange = [&](int state) -> std::optional<SeenRange> {
    if (state < 0)
      return std::nullopt;
    return getCalibration(layer.population,
                          layer.model.getState(state).getName().getValue());
  };
  auto range = stateRange(layer.shape.membraneState);
  layer.rangeSource = range ? "calibrated" : "static bound";
  layer.bounds.current = layer.bounds.leastCurrent = staticU;
  if (auto current = stateRange(layer.shape.synapseState)) {
    const double seen =
        largestOf(layer, current->magnitude(), &NeuronFactors::current) *
        largestGain;
    layer.bounds.current =
        std::min(staticU, kCurrentMargin * seen + largestStart);
    layer.bounds.leastCurrent =
        std::min(staticU, kLeastCurrentMargin * seen + largestStart);
    if (layer.bounds.current < staticU)
      layer.seenCurrent = seen + largestStart;
  }
  double blind = layer.shape.fire ? kBlindHeadroom * layer.bounds.threshold
                                  : kBlindHeadroom * onceV;
  layer.bounds.potential = std::min(staticV, blind);
  if (range) {
    double shift = 0;
    for (double reset : reals.resetTo)
      shift = std::max(shift, std::fabs(reset));
    layer.seenPotential =
        largestOf(layer, range->magnitude(), &NeuronFactors::potential) + shift;
    layer.bounds.potential = kPotentialMargin * *layer.seenPotential;
  }
}

} // namespace

InputFormat chooseInputFormat(dend::InputOp input, const Target &chip) {
  InputFormat format;
  const std::optional<uint64_t> asked = inputBitsOf(input);
  uint64_t bits = asked.value_or(kUsualInputBits);
  auto range = getCalibration(input);
  bool integer = input.getIntegers();
  // Programmable neurons take integers from any host: as payloads, or where
  // those have too few bits as unit spikes (chip.host), so that a narrower
  // payload makes nothing coarser or impossible.
  bool integers = chip.host.payloadBits || chip.engines.has("microcode");
  bool events = integer && range && range->low >= 0 && range->high <= 1;
  if (!integers || !range || (events && !asked))
    return format;
  format.binary = false;
  double largest = range->magnitude();
  bool negative = range->low < 0;
  auto highest = [&](uint64_t width) {
    return (int64_t(1) << (negative ? width - 1 : width)) - 1;
  };
  // Integers stay what they are where they fit.
  while (integer && !asked && bits < kMostInputBits &&
         double(highest(bits)) < largest)
    ++bits;
  format.high = highest(bits);
  format.low = negative ? -format.high : 0;
  format.scale = integer && largest <= double(format.high)
                     ? 1.0
                     : double(format.high) / (largest > 0 ? largest : 1.0);
  return format;
}

FailureOr<QuantisedLayer> analyseLayer(dend::PopulationOp population,
                                       const Target &chip,
                                       const WeightChoices &choices) {
  QuantisedLayer layer;
  layer.population = population;
  layer.model = dend::modelOf(population);
  layer.factors = choices.find(population);
  auto shape = matchCuba(layer.model, population);
  if (failed(shape))
    return failure();
  layer.shape = *shape;
  auto reals = readCubaReals(layer.shape, layer.model, population);
  if (failed(reals))
    return failure();
  layer.reals = std::move(*reals);
  llvm::append_range(layer.projections, dend::projectionsInto(population));
  // A threshold on the bare input may be at or below zero, the chip's may not:
  // any constant can be taken off both sides of a comparison without memory.
  if (layer.shape.fire && !layer.shape.membrane)
    for (size_t n = 0; n < layer.reals.theta.size(); ++n)
      if (layer.reals.theta[n] <= 0)
        layer.reals.resetTo[n] = layer.reals.theta[n] - 1;
  std::vector<double> worst;
  if (failed(foldConstants(layer)))
    return failure();
  applyFactors(layer);
  if (failed(readWeights(layer, chip.formats, choices, worst)))
    return failure();
  for (size_t n = 0; layer.shape.fire && n < layer.reals.theta.size(); ++n)
    if (!(layer.reals.theta[n] > layer.reals.resetTo[n]))
      return population.emitError("neuron ")
             << n << " has threshold " << layer.reals.theta[n]
             << " and reset value " << layer.reals.resetTo[n]
             << "; the chip needs the threshold above the reset value";
  chooseBounds(layer, worst);
  layer.scale = chooseScale(chip.formats, layer.bounds, layer.weights);
  return layer;
}

} // namespace dendrolith
