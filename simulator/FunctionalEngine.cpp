// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine without a clock: it takes steps in order, and in each delivers
// what the step before has sent, and then updates the scheduled groups.

#include "runtime/host/Heap.h"
#include "runtime/host/Processors.h"
#include "runtime/host/Workers.h"
#include "simulator/Run.h"
#include "simulator/events/EventCounter.h"
#include "simulator/events/StepLimits.h"
#include "simulator/functional/machine/CompileGroups.h"
#include "simulator/functional/machine/OnTarget.h"
#include "simulator/functional/rows/RowShares.h"
#include "simulator/ranks/Exchange.h"
#include "simulator/ranks/Gather.h"
#include "simulator/ranks/RankTraffic.h"
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
  Engine(const Machine &machine, const RowShares &rows, const Inputs &inputs,
         Recorder &recorder, const RunOptions &options,
         const EmissionCosts *costs, const LimitedTraffic *limited)
      : machine(machine), rows(rows), inputs(inputs), recorder(recorder),
        options(options), costs(costs), limited(limited),
        compiled(
            compileGroups(machine, options, inputs.ticks(), inputs.samples())),
        groupsAt(rows.size(),
                 std::vector<std::vector<uint32_t>>(machine.period())),
        total(machine), limits(limited) {
    if (options.ranks && options.ranks->size() > 1)
      exchange.emplace(*options.ranks, machine, rows,
                       /*all=*/limited && options.ranks->first());
    for (uint32_t s = 0; s < rows.size(); ++s)
      for (uint32_t g = 0; g < machine.groups().size(); ++g)
        if (rows.cores(s).has(machine.groups()[g].core))
          for (uint64_t step : machine.stepsOfGroup(g))
            groupsAt[s][step].push_back(g);
  }

  /// Runs all samples. A sample goes to the thread that is free, which shows
  /// nowhere: samples share nothing, and counts add up in any order. Where each
  /// sample has several threads, one runs after the other.
  EventCounter run() {
    const unsigned threads =
        machine.carriesState() || rows.size() > 1 || exchange
            ? 1
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
  /// What the threads of one sample do by themselves, one for each share of the
  /// cores. The first one counts what it does where the run is counted.
  struct Part {
    GroupUpdate update;
    std::optional<EventCounter> events; // of this sample
    std::vector<Injection> emitted;
  };
  struct Run {
    Run(const Machine &machine, const RowShares &rows,
        const EmissionCosts *costs, const LimitedTraffic *limited)
        : state(machine, rows.layout()), events(machine, costs),
          counted(limited), parts(rows.size()),
          workers(static_cast<unsigned>(rows.size())) {}
    State state;
    EventCounter events;
    StepLimits counted;
    std::vector<Part> parts; // by share
    Workers workers;
    std::vector<Injection> injections, emitted; // in a step
  };

  void work() {
    try {
      Run run(machine, rows, costs, limited);
      run.state.compiled = compiled;
      for (uint64_t s; (s = nextSample++) < inputs.samples();)
        runSample(s, run);
      std::lock_guard<std::mutex> lock(mutex);
      total.merge(run.events);
      limits.merge(run.counted);
    } catch (...) {
      std::lock_guard<std::mutex> lock(mutex);
      failure = std::current_exception();
      nextSample = inputs.samples();
    }
  }

  void runSample(uint64_t sample, Run &run) {
    const uint64_t steps = machine.stepsOf(inputs.ticks());
    recorder.startSample(sample);
    for (size_t share = 1; share < run.parts.size(); ++share)
      run.parts[share].events.emplace(machine);
    for (uint64_t step = 0; step < steps; ++step) {
      // Each process has the host's values, and the first counts them.
      uint64_t saturated = 0;
      inputs.at(sample, step, run.injections, saturated);
      if (first()) {
        run.events.saturatedInputs += saturated;
        run.events.inject(inputs, sample, step, run.injections);
      }
      if (exchange && step > 0)
        hear(sample, step - 1, run);
      run.workers.share(static_cast<uint32_t>(run.parts.size()),
                        [&](uint32_t share, unsigned) {
                          // What the step before has sent is due now at the
                          // earliest.
                          if (step > 0)
                            deliver(run.emitted, step - 1, rows[share],
                                    run.state);
                          updateShare(sample, step, share, run);
                        });
      // Shares are in the order of groups, so this is, too.
      run.emitted.clear();
      for (const Part &part : run.parts)
        run.emitted.insert(run.emitted.end(), part.emitted.begin(),
                           part.emitted.end());
      if (exchange)
        exchange->begin(run.emitted);
      run.emitted.insert(run.emitted.end(), run.injections.begin(),
                         run.injections.end());
      if (!exchange)
        count(sample, step, run.emitted, run);
      recorder.finishSteps(sample, step + 1);
      if ((step + 1) % kReportEvery == 0 || step + 1 == steps)
        report(step % kReportEvery + 1, steps * inputs.samples());
    }
    if (exchange && steps > 0)
      hear(sample, steps - 1, run);
    run.state.reset();
    run.counted.endSample(sample);
    for (size_t share = 1; share < run.parts.size(); ++share)
      run.events.merge(*run.parts[share].events);
    if (exchange)
      gather(*options.ranks, machine, run.events);
    if (first())
      run.events.endSample(sample, inputs.ticks());
  }

  /// Whether this process counts for all.
  bool first() const { return !exchange || options.ranks->first(); }

  /// While what the other processes have emitted in `step` is on its way, adds
  /// up what this one and the host have; the rest is left in `run.emitted`.
  void hear(uint64_t sample, uint64_t step, Run &run) {
    run.workers.share(static_cast<uint32_t>(run.parts.size()),
                      [&](uint32_t share, unsigned) {
                        deliver(run.emitted, step, rows[share], run.state);
                      });
    const std::vector<Injection> &others = exchange->end();
    if (run.counted.counting()) {
      run.emitted.insert(run.emitted.end(), others.begin(), others.end());
      count(sample, step, run.emitted, run);
    }
    run.emitted = others;
  }

  static void count(uint64_t sample, uint64_t step,
                    const std::vector<Injection> &emitted, Run &run) {
    if (!run.counted.counting())
      return;
    for (const Injection &each : emitted)
      run.counted.emit(each.source, step, each.units);
    run.counted.closeBefore(sample, step + 1);
  }

  /// Updates the groups of a share in a step.
  void updateShare(uint64_t sample, uint64_t step, uint32_t share, Run &run) {
    Part &part = run.parts[share];
    GroupUpdate &update = part.update;
    EventCounter &events = share == 0 ? run.events : *part.events;
    part.emitted.clear();
    for (uint32_t g : groupsAt[share][step % machine.period()]) {
      const Machine::Group &group = machine.groups()[g];
      uint64_t tick = 0;
      bool more = false;
      if (machine.tickAt(group.schedule, step, inputs.ticks(), tick))
        updateGroup(run.state, g, tick, step, update);
      else if ((more = machine.sendsAt(group, step, inputs.ticks(), tick)))
        sendUnits(run.state, g, update);
      else
        continue;
      events.update(g, tick, update);
      recorder.record(sample, g, tick, run.state, update, more, share);
      for (const Emission &emission : update.emissions)
        part.emitted.push_back(
            {group.sourceOf(emission.neuron, emission.source), emission.value});
    }
  }

  /// Delivers to the cores of a share all that a step has sent.
  static void deliver(const std::vector<Injection> &emitted, uint64_t step,
                      const Rows &rows, State &state) {
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
  const RowShares &rows;
  const Inputs &inputs;
  Recorder &recorder;
  const RunOptions &options;
  const EmissionCosts *costs;    // null where no sample is counted by itself
  const LimitedTraffic *limited; // null where the target limits no step
  const std::shared_ptr<const CompiledGroups> compiled;
  std::optional<Exchange> exchange; // where there are other processes
  // By share and by step modulo period.
  std::vector<std::vector<std::vector<uint32_t>>> groupsAt;
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
        image::Program *release, unsigned shares, CoreShare own)
      : target(target), statistics(program.statistics()),
        limited(LimitedTraffic::of(program, target)),
        machine(program, Machine::Lists::Left),
        rows(program, fitting(machine, target),
             shareCores(program, own, shares), release) {}

  static const Machine &fitting(const Machine &machine, const Target &target) {
    checkFits(machine, target);
    return machine;
  }

  Target target;
  image::ModelStatistics statistics;
  // Read before the rows, which may release the program's tables.
  const std::unique_ptr<const LimitedTraffic> limited;
  const Machine machine;
  const RowShares rows;
};

static CoreShare allCores(const image::Program &program) {
  return {0, static_cast<uint32_t>(program.cores_size())};
}

FunctionalProgram::FunctionalProgram(const image::Program &program,
                                     const Target &target, unsigned shares)
    : parts(std::make_unique<Parts>(program, target, nullptr, shares,
                                    allCores(program))) {}
FunctionalProgram::FunctionalProgram(image::Program *program,
                                     const Target &target, unsigned shares)
    : FunctionalProgram(program, target, shares, allCores(*program)) {}
FunctionalProgram::FunctionalProgram(image::Program *program,
                                     const Target &target, unsigned shares,
                                     CoreShare own)
    : parts(std::make_unique<Parts>(*program, target, program, shares, own)) {
  // The tables of the image took many small pieces.
  returnFreed();
}
FunctionalProgram::~FunctionalProgram() = default;

uint64_t FunctionalProgram::synapseBytes() const { return parts->rows.bytes(); }

RunResult FunctionalProgram::run(const std::map<std::string, Samples> &values,
                                 const RunOptions &options) const {
  if (options.ranks && options.ranks->size() > 1)
    return runTogether(values, options);
  const Machine &machine = parts->machine;
  Inputs inputs(machine, values);
  Recorder recorder(machine, options.traces, inputs.samples(), inputs.ticks(),
                    options.spikes, options.store, parts->rows.size());
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

/// The same with other processes, each of which has the messages to its cores.
RunResult
FunctionalProgram::runTogether(const std::map<std::string, Samples> &values,
                               const RunOptions &options) const {
  const Machine &machine = parts->machine;
  Ranks &ranks = *options.ranks;
  Inputs inputs(machine, values);
  // What a process has of an output goes to the first, not into a file.
  Recorder recorder(machine, options.traces, inputs.samples(), inputs.ticks(),
                    options.spikes, {}, parts->rows.size());
  if (options.ready)
    options.ready();
  RankTraffic traffic(ranks, parts->rows, machine.sources());
  std::optional<EmissionCosts> costs;
  if (inputs.samples() > 1)
    traffic.onFirst([&] { costs.emplace(machine, parts->target, traffic); });
  Engine engine(machine, parts->rows, inputs, recorder, options,
                costs ? &*costs : nullptr, parts->limited.get());
  EventCounter events = engine.run();
  gather(ranks, recorder, inputs.samples());
  RunResult result;
  traffic.onFirst([&] {
    result = collect({parts->statistics, parts->target, machine, inputs,
                      traffic, events, engine.stepLimits(), recorder});
  });
  return result;
}

RunResult runFunctional(const image::Program &program, const Target &target,
                        const std::map<std::string, Samples> &values,
                        const RunOptions &options) {
  return FunctionalProgram(program, target,
                           sharesWorth(program, values, options.threads))
      .run(values, options);
}

} // namespace neurite::sim
