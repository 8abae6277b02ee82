// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/LayerFeeds.h"

#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/quantise/LayerBits.h"
#include "compiler/transforms/quantise/QuantisedLayer.h"

#include "dialects/dend/NetworkIndex.h"

#include <cmath>
#include <set>

using namespace mlir;

namespace dendrolith {
namespace {

/// Gains into v, and how many thresholds there are.
LogicalResult readGains(LayerFeeds &layer) {
  dend::NeuronOp model = dend::modelOf(layer.population);
  auto shape = matchCuba(model, layer.population);
  if (failed(shape))
    return failure();
  auto reals = readCubaReals(*shape, model, layer.population);
  if (failed(reals))
    return failure();
  layer.shape = *shape;
  std::set<double> heights;
  for (size_t n = 0; n < layer.gain.size(); ++n) {
    layer.gain[n] = reals->gainI[n] * reals->gainV[n];
    if (shape->fire)
      heights.insert(reals->theta[n] - reals->resetTo[n]);
  }
  layer.distinctThresholds = heights.size();
  return success();
}

/// Weights times the gains of their targets; false where one weight serves
/// targets of different gains.
bool scale(const LayerFeeds &layer, const SynapseArrays<double> &synapses,
           ProjectionWeights &into) {
  std::vector<double> of(synapses.weights.size(), 0.0), values(of);
  std::vector<bool> seen(of.size(), false);
  for (size_t k = 0; k < synapses.size(); ++k) {
    size_t at = synapses.indexOf(k);
    double factor = layer.gainOf(synapses.target[k]);
    if (seen[at] && of[at] != factor)
      return false;
    seen[at] = true;
    of[at] = factor;
    values[at] = synapses.weights[at] * factor;
  }
  for (double value : values)
    into.add(value);
  return true;
}

/// What payload 1 of an input will be worth; 1 where that is not known.
double unitOfSource(dend::ProjectOp project, const Target &chip) {
  Operation *source = dend::symbolOf(project, project.getSourceAttr());
  if (auto input = dyn_cast<dend::InputOp>(source)) {
    if (input.getSpike() == dend::gradedSpike(input.getContext()))
      return 1 / chooseInputFormat(input, chip).scale;
    if (input.getScale())
      return 1 / input.getScale()->convertToDouble();
  }
  return 1;
}

FailureOr<LayerFeed> readFeed(const LayerFeeds &layer, dend::ProjectOp project,
                              FeedInputs inputs, const Target &chip) {
  LayerFeed feed;
  feed.project = project;
  feed.inputs = inputs;
  auto synapses = readSynapses<double>(project);
  if (failed(synapses))
    return failure();
  feed.scaled = {};
  if (!scale(layer, *synapses, feed.scaled)) {
    if (failed(spreadWeights(project)) ||
        failed(synapses = readSynapses<double>(project)))
      return failure();
    feed.scaled = {};
    scale(layer, *synapses, feed.scaled);
  }
  feed.synapses = std::move(*synapses);
  const NumberFormats formats =
      narrowed(chip.formats, weightBitsOf(project).value_or(0));
  if (failed(checkSigns(project, feed.scaled.mixed, formats)))
    return failure();
  const int64_t limit = mantissaLimit(formats, feed.scaled.mixed);
  feed.range = {feed.scaled.negative ? -limit : 0,
                feed.scaled.positive ? limit : 0};
  feed.unit = unitOfSource(project, chip);
  return feed;
}

/// Whether the plain quantiser loses nothing.
bool isExact(const LayerFeeds &layer, const LayerFeed &feed) {
  if (layer.isCuba)
    return commonStep(feed.scaled, feed.limit()) > 0;
  double step = largestPowerStep(feed);
  return std::all_of(feed.scaled.weight.begin(), feed.scaled.weight.end(),
                     [&](double weight) {
                       double ratio = weight / step;
                       return std::fabs(ratio - std::round(ratio)) < 1e-9;
                     });
}

} // namespace

FailureOr<LayerFeeds>
readFeeds(dend::PopulationOp population, const Target &chip,
          llvm::function_ref<FeedInputs(dend::ProjectOp)> inputsOf) {
  LayerFeeds layer;
  layer.population = population;
  layer.gain.assign(population.getSize(), 1.0);
  layer.isCuba = kindOf(population) == ModelKind::Cuba;
  if (layer.isCuba && failed(readGains(layer)))
    return failure();
  for (dend::ProjectOp project : dend::projectionsInto(population)) {
    poolingToConvolution(project);
    if (!project.getWeightAttr()) {
      if (!layer.isCuba)
        continue;
      // The others' steps would have to be multiples of it.
      layer.feeds.clear();
      return layer;
    }
    auto feed = readFeed(layer, project, inputsOf(project), chip);
    if (failed(feed))
      return failure();
    if (feed->scaled.largest == 0 || (!layer.isCuba && isExact(layer, *feed)))
      continue;
    layer.feeds.push_back(std::move(*feed));
  }
  if (layer.isCuba && llvm::all_of(layer.feeds, [&](const LayerFeed &feed) {
        return isExact(layer, feed);
      }))
    layer.feeds.clear();
  return layer;
}

double largestPowerStep(const LayerFeed &feed, double factor) {
  const double limit = double(feed.limit()) + 0.5;
  const double unit = feed.unit * factor;
  const double largest = feed.scaled.largest * unit;
  int power = int(std::floor(std::log2(largest / limit)));
  while (std::ldexp(limit, power) <= largest)
    ++power;
  return std::ldexp(1.0, power) / unit;
}

} // namespace dendrolith
