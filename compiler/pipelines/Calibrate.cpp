// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Calibrate.h"

#include "compiler/pipelines/InputFeeder.h"

#include "compiler/transforms/quantise/Calibration.h"
#include "compiler/transforms/quantise/ModelKinds.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/reference/Ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

namespace neurite {
namespace {

/// How often each source element was not zero, by population.
using Emissions = std::map<std::string, std::vector<double>>;

void countEmissions(const dend::Update &update, Emissions &emissions) {
  dend::PopulationOp population = update.population;
  dend::NeuronOp model = update.model;
  std::vector<double> &count = emissions[population.getSymName().str()];
  auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
  for (Value value : yield.getEmitted()) {
    const dend::Lanes &lanes = update.frame[value];
    size_t n = lanes.isReal() ? lanes.real.size() : lanes.raw.size();
    count.resize(std::max(count.size(), n));
    for (size_t k = 0; k < n; ++k)
      count[k] += lanes.isReal() ? lanes.real[k] != 0 : lanes.raw[k] != 0;
  }
}

template <typename Op>
void setRates(Op op, std::vector<double> count, double ticks) {
  for (double &value : count)
    value /= ticks;
  auto type = RankedTensorType::get({int64_t(count.size())},
                                    Float64Type::get(op.getContext()));
  op.setRatesAttr(
      dend::makeElements(type, (op.getSymName() + ".rates").str(), count));
}

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
                            double ticks) {
  dend::Range range;
  range.add(samples.values);
  bool integers = std::all_of(samples.values.begin(), samples.values.end(),
                              [](double v) { return v == std::round(v); });
  setCalibration(input, {range.low, range.high}, integers);
  if (range.magnitude() == 0)
    return input.emitError("input '@")
           << input.getSymName()
           << "' is zero in all calibration samples; calibrate with samples of "
              "the network's task";
  std::vector<double> count(samples.width(), 0.0);
  for (size_t k = 0; k < samples.values.size(); ++k)
    count[k % count.size()] += samples.values[k] != 0;
  setRates(input, std::move(count), ticks);
  return success();
}

} // namespace

LogicalResult calibrate(dend::NetworkOp network, const dend::Bindings &bindings,
                        const std::map<std::string, Samples> &inputs) {
  auto interpreter = dend::Interpreter::create(network, bindings);
  if (failed(interpreter))
    return failure();
  dend::Ranges ranges;
  Emissions emissions;
  dend::Observer seeRanges = ranges.observer();
  (*interpreter)->observe([&](const dend::Update &update) {
    seeRanges(update);
    countEmissions(update, emissions);
  });
  InputFeeder feeder(**interpreter, inputs);
  for (uint64_t sample = 0; sample < feeder.samples; ++sample) {
    (*interpreter)->reset();
    for (uint64_t tick = 0; tick < feeder.ticks; ++tick)
      (*interpreter)->tick(feeder.at(sample, tick));
  }
  double ticks = double(feeder.samples * feeder.ticks);
  for (auto population : network.getOps<dend::PopulationOp>()) {
    std::string name = population.getSymName().str();
    setRanges(population, ranges);
    if (kindOf(population) == ModelKind::Body)
      setValueRanges(population, ranges);
    setRates(population, emissions[name], ticks);
  }
  for (auto input : network.getOps<dend::InputOp>())
    if (failed(
            describeInput(input, inputs.at(input.getSymName().str()), ticks)))
      return failure();
  return success();
}

} // namespace neurite
