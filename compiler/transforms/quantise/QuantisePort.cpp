// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/QuantisePort.h"

#include "compiler/transforms/network/Synapses.h"
#include "compiler/transforms/quantise/LayerBits.h"
#include "compiler/transforms/quantise/RowRounding.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/reference/Clocks.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

namespace dendrolith {
namespace {

// Bits that biases have behind the unit of the finest weights.
constexpr int kBiasBits = 6;
// Bits of the largest bias at least, where the target's shifts reach that far.
constexpr int kOwnBiasBits = 10;

struct Feed {
  dend::ProjectOp project;
  int64_t ticks = 1;         // of the source that one update adds up
  ProjectionWeights weights; // real port units per unit payload
  std::vector<double> worst; // by target element: the largest sum it may make
  std::vector<double> bias;  // by target element, or empty
  int step = 0;              // 1 mantissa unit is worth 2^step
  int leastShift = 0, mostShift = 0;
};

/// Ticks of a clock within one of another, at least 1.
int64_t ticksWithin(const llvm::StringMap<int64_t> &clocks, StringRef fast,
                    StringRef slow) {
  return std::max<int64_t>(1, clocks.lookup(fast) / clocks.lookup(slow));
}

StringRef clockOf(Operation *source) {
  if (auto input = dyn_cast<dend::InputOp>(source))
    return input.getClock();
  return cast<dend::PopulationOp>(source).getClock();
}

FailureOr<Feed> read(dend::ProjectOp project, const NumberFormats &chip,
                     const WeightChoices &choices) {
  Feed feed;
  feed.project = project;
  auto payload = payloadOf(project);
  poolingToConvolution(project);
  auto synapses = readSynapses<double>(project);
  if (failed(payload) || failed(synapses))
    return failure();
  feed.worst.assign(size_t(targetElements(project)), 0.0);
  for (double weight : synapses->weights)
    feed.weights.add(weight * payload->unit);
  if (const ChosenWeights *chosen = choices.find(project)) {
    feed.weights.chosen = chosen->mantissas;
    feed.weights.step = chosen->step * payload->unit;
  }
  // A rounded mantissa is off by half a unit at most: within twice the weight,
  // or zero. A chosen one may be off by more.
  for (size_t k = 0; k < synapses->size(); ++k) {
    double most = 2 * std::fabs(synapses->weight(k) * payload->unit);
    if (!feed.weights.chosen.empty())
      most = std::max(
          most, std::fabs(double(feed.weights.chosen[synapses->indexOf(k)])) *
                    feed.weights.step);
    feed.worst[synapses->target[k]] += most * payload->largest;
  }
  if (project.getBiasAttr()) {
    auto values = dend::readReals(project, project.getBiasAttr());
    if (failed(values) || values->size() != feed.worst.size())
      return project.emitError("its bias '@")
             << *project.getBias() << "' has no readable value per target";
    feed.bias = std::move(*values);
  }
  feed.weights.bits = weightBitsOf(project).value_or(0);
  const NumberFormats formats = narrowed(chip, feed.weights.bits);
  if (failed(checkSigns(project, feed.weights.mixed, formats)))
    return failure();
  // The half keeps a largest weight that rounds to the limit.
  double limit = double(mantissaLimit(formats, feed.weights.mixed)) + 0.5;
  if (feed.weights.largest > 0) {
    feed.step = int(std::floor(std::log2(feed.weights.largest / limit)));
    while (std::ldexp(limit, feed.step) <= feed.weights.largest)
      ++feed.step;
  }
  if (!feed.weights.chosen.empty())
    feed.step = int(std::lround(std::log2(feed.weights.step)));
  feed.leastShift = shiftMin(formats, feed.weights.mixed);
  feed.mostShift = shiftMax(formats, feed.weights.mixed);
  return feed;
}

/// The port's exponent e: a projection is shifted by step - e.
int chooseExponent(const std::vector<Feed> &feeds) {
  int coarsest = std::numeric_limits<int>::max(),
      finest = std::numeric_limits<int>::min();
  for (const Feed &feed : feeds)
    if (feed.weights.largest > 0) {
      coarsest = std::min(coarsest, feed.step - feed.leastShift);
      finest = std::max(finest, feed.step - feed.mostShift);
    }
  double bias = 0;
  for (const Feed &feed : feeds)
    for (double value : feed.bias)
      bias = std::max(bias, std::fabs(value));
  int wanted = 0;
  if (bias > 0)
    wanted = int(std::floor(std::log2(bias))) - kOwnBiasBits;
  if (coarsest != std::numeric_limits<int>::max())
    wanted = bias > 0 ? std::min(wanted, coarsest - kBiasBits)
                      : coarsest - kBiasBits;
  return std::max(wanted, finest);
}

void writeBias(Feed &feed, int exponent, dend::PopulationOp population) {
  std::vector<int64_t> values;
  for (double bias : feed.bias)
    values.push_back(roundEven(std::ldexp(bias, -exponent)));
  dend::ProjectOp project = feed.project;
  std::string name =
      (project.getTarget() + "." + project.getSource() + ".b").str();
  project.setBiasAttr(ConstantMaker(population)
                          .make(name, {int64_t(values.size())}, 64, values));
}

} // namespace

FailureOr<dend::FxType>
quantisePort(dend::PopulationOp population, StringRef port,
             const NumberFormats &formats, const WeightChoices &choices,
             SmallVectorImpl<report::QuantRowAttr> &report) {
  auto network = population->getParentOfType<dend::NetworkOp>();
  auto clocks = dend::ticksPerRoot(network);
  if (failed(clocks))
    return failure();
  StringRef own = population.getClock();
  std::vector<Feed> feeds;
  for (dend::ProjectOp project : dend::projectionsInto(population)) {
    if (project.getPort() != port)
      continue;
    auto feed = read(project, formats, choices);
    if (failed(feed))
      return failure();
    Operation *source = dend::symbolOf(project, project.getSourceAttr());
    feed->ticks = ticksWithin(*clocks, clockOf(source), own);
    feeds.push_back(std::move(*feed));
  }
  dend::NeuronOp model = dend::modelOf(population);
  FlatSymbolRefAttr hold =
      model.getPort(unsigned(model.findPort(port))).getHold();
  int64_t held = hold ? ticksWithin(*clocks, own, hold.getValue()) : 1;
  int exponent = chooseExponent(feeds);
  std::vector<double> worst;
  for (Feed &feed : feeds) {
    // One far finer than the others gives up bits of its weights.
    feed.step = std::max(feed.step, exponent + feed.leastShift);
    worst.resize(std::max(worst.size(), feed.worst.size()), 0.0);
    for (size_t n = 0; n < feed.worst.size(); ++n)
      worst[n] += feed.worst[n] * double(feed.ticks * held) +
                  (feed.bias.empty() ? 0.0 : std::fabs(feed.bias[n]));
  }
  double largest = 1;
  for (double sum : worst)
    largest = std::max(largest, std::ldexp(sum, -exponent));
  int bits = int(std::ceil(std::log2(largest + 1))) + 1;
  if (bits > 62)
    return population.emitError("port '")
           << port << "' of '@" << population.getSymName()
           << "' may receive sums of " << bits
           << " bits, expected at most 62: weights, payloads and biases are "
              "too "
              "far apart";
  for (Feed &feed : feeds) {
    report.push_back(writeMantissas(feed.project, feed.weights,
                                    std::ldexp(1.0, feed.step),
                                    feed.step - exponent, formats, port));
    if (!feed.bias.empty())
      writeBias(feed, exponent, population);
  }
  return dend::FxType::get(population.getContext(), unsigned(bits), exponent);
}

} // namespace dendrolith
