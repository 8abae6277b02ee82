// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine without a clock: it takes steps in order, and in each the
// injections and then the scheduled groups, and delivers every message where it
// is emitted.

#include "runtime/host/Heap.h"
#include "runtime/host/Processors.h"
#include "simulator/Run.h"
#include "simulator/events/EventCounter.h"
#include "simulator/events/StepLimits.h"
#include "simulator/functional/machine/CompileGroups.h"
#include "simulator/functional/machine/OnTarget.h"
#include "simulator/functional/rows/Rows.h"
#include "simulator/record/Collect.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace neurite::sim {
namespace {

class Engine {
public:
  Engine(const Machine &machine, const Rows &rows, const Inputs &inputs,
         Recorder &recorder, const RunOptions &options,
         const EmissionCosts *costs, const LimitedTraffic *limited)
      : machine(machine), rows(rows), inputs(inputs), recorder(recorder),
        options(options), costs(costs), limited(limited),
        compiled(
            compileGroups(machine, options, inputs.ticks(), inputs.samples())),
        groupsAt(machine.period()), total(machine), limits(limited) {
    for (uint32_t g = 0; g < machine.groups().size(); ++g)
      for (uint64_t step : machine.stepsOfGroup(g))
        groupsAt[step].push_back(g);
  }

  /// Runs all samples. A sample goes to the thread that is free, which shows
  /// nowhere: samples share nothing, and counts add up in any order.
  EventCounter run() {
    const unsigned threads =
        machine.carriesState() ? 1
                               : workersFor(options.threads, inputs.samples());
    if (threads == 1) {
      work();
    } else {
      std::vector<std::thread> workers;
      for (unsigned i = 0; i < threads; ++i)
        workers.emplace_back([this] { work(); });
      for (std::thread &worker : workers)
        worker.join();
    }
    if (failure)
      std::rethrow_exception(failure);
    return total;
  }
  const StepLimits &stepLimits() const { return limits; }

private:
  void work() {
    try {
      State state(machine, rows.layout());
      state.compiled = compiled;
      EventCounter events(machine, costs);
      StepLimits counted(limited);
      for (uint64_t s; (s = nextSample++) < inputs.samples();)
        runSample(s, state, events, counted);
      std::lock_guard<std::mutex> lock(mutex);
      total.merge(events);
      limits.merge(counted);
    } catch (...) {
      std::lock_guard<std::mutex> lock(mutex);
      failure = std::current_exception();
      nextSample = inputs.samples();
    }
  }

  void runSample(uint64_t sample, State &state, EventCounter &events,
                 StepLimits &counted) {
    const uint64_t steps = machine.stepsOf(inputs.ticks());
    std::vector<Injection> injections, emitted;
    GroupUpdate update;
    for (uint64_t step = 0; step < steps; ++step) {
      inputs.at(sample, step, injections, events.saturatedInputs);
      events.inject(inputs, sample, step, injections);
      emitted = injections;
      for (uint32_t g : groupsAt[step % machine.period()]) {
        const Machine::Group &group = machine.groups()[g];
        uint64_t tick = 0;
        bool more = false;
        if (machine.tickAt(group.schedule, step, inputs.ticks(), tick))
          updateGroup(state, g, tick, step, update);
        else if ((more = machine.sendsAt(group, step, inputs.ticks(), tick)))
          sendUnits(state, g, update);
        else
          continue;
        events.update(g, tick, update);
        recorder.record(sample, g, tick, state, update, more);
        for (const Emission &emission : update.emissions)
          emitted.push_back({group.sourceOf(emission.neuron, emission.source),
                             emission.value});
      }
      if (counted.counting()) {
        for (const Injection &each : emitted)
          counted.emit(each.source, step, each.units);
        counted.closeBefore(sample, step + 1);
      }
      recorder.finishSteps(sample, step + 1);
      deliver(emitted, step, state);
      if ((step + 1) % kReportEvery == 0 || step + 1 == steps)
        report(step % kReportEvery + 1, steps * inputs.samples());
    }
    state.reset();
    counted.endSample(sample);
    events.endSample(sample, inputs.ticks());
  }

  /// Delivers all that a step sends, once its updates are done: nothing of it
  /// is due before the next step.
  void deliver(const std::vector<Injection> &emitted, uint64_t step,
               State &state) const {
    for (size_t i = 0; i < emitted.size(); ++i) {
      if (i + 4 * kAhead < emitted.size())
        rows.prefetchPlace(emitted[i + 4 * kAhead].source);
      if (i + kAhead < emitted.size())
        rows.prefetch(emitted[i + kAhead].source);
      rows.send(emitted[i].source, emitted[i].payload, step, state);
    }
  }

  void report(uint64_t steps, uint64_t all) {
    if (!options.progress)
      return;
    std::lock_guard<std::mutex> lock(mutex);
    done += steps;
    options.progress(done, all);
  }

  static constexpr uint64_t kReportEvery = 64; // in steps
  static constexpr size_t kAhead = 2;          // rows fetched before their turn

  const Machine &machine;
  const Rows &rows;
  const Inputs &inputs;
  Recorder &recorder;
  const RunOptions &options;
  const EmissionCosts *costs;    // null where no sample is counted by itself
  const LimitedTraffic *limited; // null where the target limits no step
  const std::shared_ptr<const CompiledGroups> compiled;
  std::vector<std::vector<uint32_t>> groupsAt; // by step modulo period
  std::atomic<uint64_t> nextSample{0};
  std::mutex mutex; // guards what follows
  EventCounter total;
  StepLimits limits;
  std::exception_ptr failure;
  uint64_t done = 0;
};

} // namespace

struct FunctionalProgram::Parts {
  Parts(const image::Program &program, const Target &target,
        image::Program *release)
      : target(target), statistics(program.statistics()),
        limited(LimitedTraffic::of(program, target)),
        machine(program, Machine::Lists::Left),
        rows(program, fitting(machine, target), release) {}

  static const Machine &fitting(const Machine &machine, const Target &target) {
    checkFits(machine, target);
    return machine;
  }

  Target target;
  image::ModelStatistics statistics;
  // Read before the rows, which may release the program's tables.
  const std::unique_ptr<const LimitedTraffic> limited;
  const Machine machine;
  const Rows rows;
};

FunctionalProgram::FunctionalProgram(const image::Program &program,
                                     const Target &target)
    : parts(std::make_unique<Parts>(program, target, nullptr)) {}
FunctionalProgram::FunctionalProgram(image::Program *program,
                                     const Target &target)
    : parts(std::make_unique<Parts>(*program, target, program)) {
  // The tables of the image took many small pieces.
  returnFreed();
}
FunctionalProgram::~FunctionalProgram() = default;

uint64_t FunctionalProgram::synapseBytes() const { return parts->rows.bytes(); }

RunResult FunctionalProgram::run(const std::map<std::string, Samples> &values,
                                 const RunOptions &options) const {
  const Machine &machine = parts->machine;
  Inputs inputs(machine, values);
  Recorder recorder(machine, options.traces, inputs.samples(), inputs.ticks(),
                    options.spikes, options.store);
  // The counts of a single sample are those of the run.
  std::optional<EmissionCosts> costs;
  if (inputs.samples() > 1)
    costs.emplace(machine, parts->target, parts->rows);
  Engine engine(machine, parts->rows, inputs, recorder, options,
                costs ? &*costs : nullptr, parts->limited.get());
  EventCounter events = engine.run();
  return collect({parts->statistics, parts->target, machine, inputs,
                  parts->rows, events, engine.stepLimits(), recorder});
}

RunResult runFunctional(const image::Program &program, const Target &target,
                        const std::map<std::string, Samples> &values,
                        const RunOptions &options) {
  return FunctionalProgram(program, target).run(values, options);
}

} // namespace neurite::sim
