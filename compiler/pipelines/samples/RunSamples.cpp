// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/samples/RunSamples.h"

#include "dialects/dend/fast/Interpreter.h"
#include "runtime/host/Signals.h"
#include "runtime/host/Workers.h"

#include <algorithm>
#include <deque>
#include <memory>

using namespace mlir;

namespace dendrolith {

InputFeeder::InputFeeder(const dend::Interpreter &interpreter,
                         const std::map<std::string, Samples> &inputs)
    : inputs(inputs) {
  if (interpreter.inputs().empty()) {
    samples = inputs.at(kNoInput).samples;
    ticks = inputs.at(kNoInput).steps;
  }
  for (const dend::InputInfo &input : interpreter.inputs()) {
    uint64_t each = static_cast<uint64_t>(input.ticks);
    perTick[input.name] = each;
    samples = inputs.at(input.name).samples;
    ticks = inputs.at(input.name).steps / each;
  }
}

const std::map<std::string, std::vector<double>> &
InputFeeder::at(uint64_t sample, uint64_t tick) {
  for (const auto &[name, given] : inputs) {
    if (name == kNoInput)
      continue;
    uint64_t each = perTick.at(name);
    const auto from = ptrdiff_t(given.begin(sample, tick * each));
    if (given.tokens) {
      std::vector<double> &spikes = values[name];
      spikes.assign(each * given.width(), 0);
      for (uint64_t k = 0; k < each; ++k)
        spikes[k * given.width() +
               size_t(given.values[size_t(from) + size_t(k)])] = 1;
      continue;
    }
    const auto to = from + ptrdiff_t(each * given.width());
    given.values.visit([&values = values[name], from, to](const auto &all) {
      values.assign(all.begin() + from, all.begin() + to);
    });
  }
  return values;
}

bool outlivesSamples(dend::NetworkOp network) {
  for (auto model : network.getOps<dend::NeuronOp>())
    for (unsigned i = 0; i < model.getStates().size(); ++i) {
      auto word = dyn_cast<StringAttr>(model.getState(i).getReset());
      if (word && word.getValue() == "never")
        return true;
    }
  return false;
}

namespace {

struct Runner {
  Runner(std::unique_ptr<dend::fast::Interpreter> made, const SampleRun &run)
      : interpreter(std::move(made)), feeder(*interpreter, run.inputs) {
    clock.samples = std::min(feeder.samples, run.most);
    clock.ticks = feeder.ticks;
  }

  void run(uint64_t sample) {
    interpreter->reset();
    for (uint64_t tick = 0; tick < clock.ticks; ++tick) {
      clock.now = sample * clock.ticks + tick;
      interpreter->tick(feeder.at(sample, tick));
    }
  }

  std::unique_ptr<dend::fast::Interpreter> interpreter;
  InputFeeder feeder;
  SampleClock clock;
};

} // namespace

LogicalResult runSamples(const SampleRun &run, const ObserverFor &observe) {
  auto interpreter = dend::fast::Interpreter::create(run.network, run.bindings);
  if (failed(interpreter))
    return failure();
  (*interpreter)->recordNothing(); // observers see all that is asked for
  std::deque<Runner> runners;
  runners.emplace_back(std::move(*interpreter), run);
  if (!outlivesSamples(run.network))
    while (runners.size() <
           workersFor(run.threads, runners.front().clock.samples))
      runners.emplace_back(runners.front().interpreter->copy(), run);
  for (Runner &runner : runners)
    runner.interpreter->observe(observe(runner.clock));
  const uint64_t samples = runners.front().clock.samples;
  // Each has every n-th sample, in order. Of several that fail, the first
  // sample counts.
  std::vector<uint64_t> reached(runners.size());
  std::vector<std::exception_ptr> failures(runners.size());
  inParallel(runners.size(), unsigned(runners.size()), [&](size_t i) {
    try {
      for (reached[i] = i; reached[i] < samples; reached[i] += runners.size())
        runners[i].run(reached[i]);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  });
  size_t first = runners.size();
  for (size_t i = 0; i < runners.size(); ++i)
    if (failures[i] && (first == runners.size() || reached[i] < reached[first]))
      first = i;
  if (first < runners.size())
    std::rethrow_exception(failures[first]);
  return success();
}

} // namespace dendrolith
