// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/RunSamples.h"

#include "compiler/pipelines/InputFeeder.h"
#include "runtime/host/Parallel.h"
#include "runtime/host/Processors.h"

#include <algorithm>
#include <deque>
#include <memory>

using namespace mlir;

namespace dendrolith {

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
  Runner(std::unique_ptr<dend::Interpreter> made, const SampleRun &run)
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

  std::unique_ptr<dend::Interpreter> interpreter;
  InputFeeder feeder;
  SampleClock clock;
};

} // namespace

LogicalResult runSamples(const SampleRun &run, const ObserverFor &observe) {
  auto interpreter = dend::Interpreter::create(run.network, run.bindings);
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
