// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/Calibrate.h"

#include "compiler/transforms/Calibration.h"

#include "dialects/dend/Constants.h"
#include "dialects/dend/reference/Interpreter.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace neurite {
namespace {

struct Seen {
  SeenRange range;
  bool any = false;
  void add(const std::vector<double> &values) {
    for (double value : values) {
      range.low = any ? std::min(range.low, value) : value;
      range.high = any ? std::max(range.high, value) : value;
      any = true;
    }
  }
};

/// Ranges by (population, port or state) and emissions by source.
class Collector {
public:
  void see(const dend::Update &update) {
    auto population = update.population;
    auto model = update.model;
    auto yield = cast<dend::YieldOp>(model.getBlock().getTerminator());
    auto &ranges = seen[population];
    for (auto [i, arg] : llvm::enumerate(model.getPortArgs()))
      ranges[model.getPort(i).getName().str()].add(update.frame[arg].real);
    for (auto [i, value] : llvm::enumerate(yield.getStates())) {
      const dend::Lanes &lanes = update.frame[value];
      Seen &range = ranges[model.getState(i).getName().str()];
      range.add(lanes.real);
      // A reset hides how far the potential went: see what it was before.
      if (auto fire = value.getDefiningOp<dend::FireOp>())
        range.add(update.frame[fire.getPotential()].real);
    }
    for (Value value : yield.getEmitted()) {
      const dend::Lanes &lanes = update.frame[value];
      std::vector<double> &count = emitted[population];
      size_t n = lanes.isReal() ? lanes.real.size() : lanes.raw.size();
      count.resize(std::max(count.size(), n));
      for (size_t k = 0; k < n; ++k)
        count[k] += lanes.isReal() ? lanes.real[k] != 0 : lanes.raw[k] != 0;
    }
  }

  void write(double ticks) {
    for (auto &[population, ranges] : seen)
      for (auto &[name, range] : ranges)
        if (range.any)
          setCalibration(population, name, range.range);
    for (auto &[population, count] : emitted)
      writeRates(population, dend::PopulationOp(population).getSymName(), count,
                 ticks);
  }

  static void writeRates(Operation *op, StringRef name,
                         std::vector<double> count, double ticks) {
    for (double &value : count)
      value /= ticks;
    auto type = RankedTensorType::get({int64_t(count.size())},
                                      Float64Type::get(op->getContext()));
    op->setAttr("rates",
                dend::makeElements(type, (name + ".rates").str(), count));
  }

private:
  // Keyed by op only to find the entry again; never iterated for order.
  std::map<Operation *, std::map<std::string, Seen>> seen;
  std::map<Operation *, std::vector<double>> emitted;
};

void describeInput(dend::InputOp input, const Samples &samples) {
  Seen seen;
  seen.add(samples.values);
  setCalibration(input, "range", seen.range);
  if (std::all_of(samples.values.begin(), samples.values.end(),
                  [](double v) { return v == std::round(v); }))
    setIntegerCalibration(input);
  std::vector<double> count(samples.width(), 0.0);
  for (size_t k = 0; k < samples.values.size(); ++k)
    count[k % count.size()] += samples.values[k] != 0;
  Collector::writeRates(input, input.getSymName(), std::move(count),
                        double(samples.samples * samples.steps));
}

} // namespace

LogicalResult calibrate(dend::NetworkOp network, const dend::Bindings &bindings,
                        const std::map<std::string, Samples> &inputs) {
  auto interpreter = dend::Interpreter::create(network, bindings);
  if (failed(interpreter))
    return failure();
  Collector collector;
  (*interpreter)->observe([&](const dend::Update &u) { collector.see(u); });
  const Samples &first = inputs.begin()->second;
  std::map<std::string, std::vector<double>> values;
  for (uint64_t sample = 0; sample < first.samples; ++sample) {
    (*interpreter)->reset();
    for (uint64_t step = 0; step < first.steps; ++step) {
      for (const auto &[name, samples] : inputs)
        values[name].assign(samples.step(sample, step),
                            samples.step(sample, step) + samples.width());
      (*interpreter)->tick(values);
    }
  }
  collector.write(double(first.samples * first.steps));
  for (auto input : network.getOps<dend::InputOp>())
    if (auto it = inputs.find(input.getSymName().str()); it != inputs.end())
      describeInput(input, it->second);
  return success();
}

} // namespace neurite
