// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/samples/Calibrate.h"

#include "compiler/pipelines/samples/RunSamples.h"

#include "compiler/transforms/quantise/Calibration.h"
#include "compiler/transforms/quantise/CubaShape.h"
#include "dialects/dend/SampledTicks.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/NetworkIndex.h"
#include "dialects/dend/fast/Ranges.h"
#include "dialects/dend/reference/Clocks.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>

using namespace mlir;

namespace dendrolith {
namespace {

/// When each source element was not zero: how often in all ticks, and in which
/// of the sampled root ticks, as bits, for each of the `parts` that its own
/// clock divides a root tick into.
struct Emitted {
  size_t parts = 1;
  std::vector<double> count;
  std::vector<int64_t> ticks; // element * parts + part

  /// The elements that are not zero, most of which are in most ticks.
  template <typename T>
  void addFired(const std::vector<T> &values, size_t part,
                std::optional<unsigned> bit) {
    constexpr size_t kBlock = 16;
    for (size_t first = 0; first < values.size(); first += kBlock) {
      const size_t end = std::min(first + kBlock, values.size());
      bool any = false;
      for (size_t k = first; k < end; ++k)
        any |= values[k] != 0;
      for (size_t k = first; any && k < end; ++k)
        if (values[k] != 0)
          add(k, part, bit);
    }
  }
  void add(size_t element, size_t part, std::optional<unsigned> bit) {
    ++count[element];
    if (bit)
      ticks[element * parts + part] |= int64_t(uint64_t(1) << *bit);
  }
  void resize(size_t elements) {
    count.resize(std::max(count.size(), elements));
    ticks.resize(count.size() * parts);
  }
  void merge(const Emitted &other) {
    parts = other.parts;
    resize(other.count.size());
    for (size_t i = 0; i < other.count.size(); ++i)
      count[i] += other.count[i];
    for (size_t i = 0; i < other.ticks.size(); ++i)
      ticks[i] |= other.ticks[i];
  }
};
using Emissions = llvm::DenseMap<Operation *, Emitted>; // by population

void countEmissions(const dend::Update &update,
                    const llvm::StringMap<int64_t> &ticksOf,
                    std::optional<unsigned> bit, Emissions &emissions) {
  dend::PopulationOp population = update.population;
  dend::NeuronOp model = update.model;
  auto [found, isNew] = emissions.try_emplace(population);
  Emitted &emitted = found->second;
  if (isNew)
    emitted.parts = size_t(ticksOf.lookup(population.getClock()));
  const size_t part = size_t(update.tick) % emitted.parts;
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  for (Value value : yield.getEmitted()) {
    const dend::PopulationValue &lanes = update.frame[value];
    size_t n = lanes.isReal() ? lanes.real.size() : lanes.raw.size();
    emitted.resize(n);
    if (lanes.isReal())
      emitted.addFired(lanes.real, part, bit);
    else
      emitted.addFired(lanes.raw, part, bit);
  }
}

template <typename Op> void setActivity(Op op, Emitted emitted, double ticks) {
  for (double &value : emitted.count)
    value /= ticks;
  auto size = int64_t(emitted.count.size());
  op.setRatesAttr(dend::makeElements(
      RankedTensorType::get({size}, Float64Type::get(op.getContext())),
      (op.getSymName() + ".rates").str(), emitted.count));
  op.setActivityAttr(dend::makeElements(
      RankedTensorType::get({int64_t(emitted.ticks.size())},
                            IntegerType::get(op.getContext(), 64)),
      (op.getSymName() + ".activity").str(), emitted.ticks));
}

/// What one thread has seen.
struct SeenRanges {
  dend::Ranges ranges;
  Emissions emissions;
};

/// Sets the ranges of ports and states. A reset hides how far a potential went,
/// so its value before the threshold counts too.
void setRanges(dend::PopulationOp population, const dend::Ranges &ranges) {
  dend::NeuronOp model = dend::modelOf(population);
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  auto set = [&](StringAttr name, const dend::Range &range) {
    if (range.seen())
      setCalibration(population, name.getValue(), {range.low, range.high});
  };
  for (unsigned i = 0; i < model.getPortArgs().size(); ++i) {
    StringAttr name = model.getPort(i).getName();
    set(name, ranges.port(population, name.getValue()));
  }
  for (auto [i, value] : llvm::enumerate(yield.getStates())) {
    StringAttr name = model.getState(i).getName();
    dend::Range range = ranges.state(population, name.getValue());
    if (auto fire = value.getDefiningOp<dend::FireOp>())
      range.add(ranges.value(population, fire.getPotential()));
    set(name, range);
  }
}

/// Sets the ranges of the real values of a step body that no other population
/// uses.
void setValueRanges(dend::PopulationOp population, const dend::Ranges &ranges) {
  dend::NeuronOp model = dend::modelOf(population);
  model.getBlock().walk([&](Operation *op) {
    for (OpResult result : op->getResults()) {
      dend::Range range = ranges.value(population, result);
      double worst = std::numeric_limits<double>::infinity();
      if (dend::isReal(result.getType()) && (range.seen() || range.invalid))
        setCalibration(result, range.invalid
                                   ? SeenRange{-worst, worst}
                                   : SeenRange{range.low, range.high});
    }
  });
}

LogicalResult describeInput(dend::InputOp input, const Samples &samples,
                            const SampledTicks &sampled, double ticks) {
  dend::Range range;
  bool integers = true;
  if (samples.tokens) {
    range.low = 0;
    range.high = 1;
  } else {
    samples.values.visit([&](const auto &values) {
      for (double value : values) {
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
        integers &= value == std::round(value);
      }
    });
  }
  setCalibration(input, {range.low, range.high}, integers);
  // Spikes of a known width are their own scale.
  if (range.magnitude() == 0 &&
      input.getSpike() == dend::gradedSpike(input.getContext()))
    return input.emitError("input '@")
           << input.getSymName()
           << "' is zero in all calibration samples; calibrate with samples of "
              "the network's task";
  const size_t width = samples.width();
  const uint64_t stored = samples.stored();
  const uint64_t perTick = std::max<uint64_t>(
      uint64_t(double(samples.values.size() / stored) / ticks), 1);
  Emitted emitted;
  emitted.parts = perTick;
  emitted.resize(width);
  samples.values.visit([&](const auto &values) {
    for (size_t k = 0; k < values.size(); ++k)
      if (samples.tokens)
        emitted.add(size_t(values[k]), k % perTick, sampled.bitOf(k / perTick));
      else if (values[k] != 0)
        emitted.add(k % width, k / width % perTick,
                    sampled.bitOf(k / width / perTick));
  });
  setActivity(input, std::move(emitted), ticks);
  return success();
}

} // namespace

LogicalResult calibrate(dend::NetworkOp network, const dend::Bindings &bindings,
                        const std::map<std::string, Samples> &inputs,
                        unsigned threads) {
  const auto ticksOf = dend::ticksPerRoot(network);
  if (failed(ticksOf))
    return failure();
  std::deque<SeenRanges> byThread;
  uint64_t allTicks = 0;
  std::optional<SampledTicks> ticksSeen;
  auto observe = [&](const SampleClock &clock) -> dend::Observer {
    allTicks = clock.samples * clock.ticks;
    ticksSeen.emplace(clock.samples, clock.ticks);
    SeenRanges &seen = byThread.emplace_back();
    return [&, see = seen.ranges.observer()](const dend::Update &update) {
      see(update);
      countEmissions(update, *ticksOf, ticksSeen->bitOf(clock.now),
                     seen.emissions);
    };
  };
  if (failed(runSamples({network, bindings, inputs, UINT64_MAX, threads},
                        observe)))
    return failure();
  const SampledTicks &sampled = *ticksSeen;
  dend::Ranges ranges;
  Emissions emissions;
  for (const SeenRanges &seen : byThread) {
    ranges.add(seen.ranges);
    for (const auto &[population, emitted] : seen.emissions)
      emissions[population].merge(emitted);
  }
  network.setSampled(ArrayRef<int64_t>{int64_t(sampled.samples()),
                                       int64_t(sampled.ticksOfEach())});
  double ticks = double(allTicks);
  dend::NetworkIndex index(network);
  for (auto population : network.getOps<dend::PopulationOp>()) {
    setRanges(population, ranges);
    if (kindOf(population) == ModelKind::Body)
      setValueRanges(population, ranges);
    setActivity(population, emissions[population], ticks);
  }
  for (auto input : network.getOps<dend::InputOp>())
    if (failed(describeInput(input, inputs.at(input.getSymName().str()),
                             sampled, ticks)))
      return failure();
  return success();
}

} // namespace dendrolith
