// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/FunctionalProgram.h"

#include "runtime/host/Heap.h"
#include "simulator/FunctionalEngine.h"
#include "simulator/functional/machine/OnTarget.h"
#include "simulator/functional/rows/EventOrder.h"
#include "simulator/ranks/Exchange.h"
#include "simulator/ranks/RankTraffic.h"
#include "simulator/record/Collect.h"

#include <fmt/format.h>

#include <optional>

namespace dendrolith::sim {

struct FunctionalProgram::Parts {
  Parts(const image::Program &program, const Target &target,
        image::Program *release, unsigned shares, CoreShare own)
      : target(target), statistics(program.statistics()),
        limited(LimitedTraffic::of(program, target)),
        order(EventOrder::of(program, target)),
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
  const std::optional<EventOrder> order;
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
  if (parts->order)
    inputs.play(parts->order->plan(machine, parts->rows[0], inputs));
  Recorder recorder(machine, options.traces, inputs.samples(), inputs.ticks(),
                    options.spikes, options.stores, parts->rows.size());
  if (inputs.order())
    recorder.repeatTicks();
  // The counts of a single sample are those of the run.
  std::optional<EmissionCosts> costs;
  if (inputs.samples() > 1)
    costs.emplace(machine, parts->target, parts->rows);
  FunctionalEngine engine(machine, parts->rows, inputs, recorder, options,
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
  if (parts->order)
    throw Error("program: its events come one by one, which one process does; "
                "run it without others");
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
  FunctionalEngine engine(machine, parts->rows, inputs, recorder, options,
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

/// A tick that is taken to its end sends beyond steps of the next one.
static BucketLayout layoutOfWholeTicks(const RowShares &rows,
                                       const Machine &machine) {
  BucketLayout layout = rows.layout();
  if (layout.firstWindow > machine.period())
    throw Error(
        "the image cannot be stepped: a spike of it acts on an earlier "
        "tick than the one that sends it; run it as a whole, or compile "
        "the model again");
  layout.maxDelay += static_cast<uint32_t>(machine.depth());
  return layout;
}

struct FunctionalProgram::Stepper::Kept {
  explicit Kept(const Parts &parts)
      : machine(parts.machine), order(parts.order), rows(parts.rows),
        state(machine, layoutOfWholeTicks(rows, machine)),
        visits(machine.depth()) {
    uint64_t tick = 0;
    for (uint64_t step = 0; step < machine.depth(); ++step)
      for (uint32_t g = 0; g < machine.groups().size(); ++g)
        if (const Machine::Group &group = machine.groups()[g];
            machine.tickAt(group.schedule, step, 1, tick))
          visits[step].push_back({g, tick, /*more=*/false});
        else if (machine.sendsAt(group, step, 1, tick))
          visits[step].push_back({g, tick, /*more=*/true});
  }

  /// A group that has something to do in a step of a tick.
  struct Visit {
    uint32_t group = 0;
    uint64_t tick = 0; // of its own clock, in the root tick
    bool more = false; // it sends what is left of an emission
  };

  void send(uint32_t source, int64_t payload, uint64_t step) {
    for (size_t share = 0; share < rows.size(); ++share)
      rows[share].send(source, payload, step, state);
  }
  bool isOf(uint64_t local, uint64_t step, uint32_t source) const;
  void runTick(uint64_t local, const std::vector<std::vector<Injection>> &given,
               Recorder &recorder);

  const Machine &machine;
  const std::optional<EventOrder> &order;
  const RowShares &rows;
  State state;
  std::vector<std::vector<Visit>> visits; // by step of a tick
  GroupUpdate update;
  uint64_t done = 0;   // root ticks
  uint64_t events = 0; // taken, where the chip has a queue
  uint64_t saturated = 0;
};

/// Whether what an input sends in `step` is of that root tick.
bool FunctionalProgram::Stepper::Kept::isOf(uint64_t local, uint64_t step,
                                            uint32_t source) const {
  for (const Machine::Input &input : machine.inputs())
    if (source - input.source < input.sources())
      return (step - input.schedule.phase) / machine.period() == local;
  return false;
}

/// `local` counts from the first tick of this piece, as the steps of what is
/// given and the recorder do.
void FunctionalProgram::Stepper::Kept::runTick(
    uint64_t local, const std::vector<std::vector<Injection>> &given,
    Recorder &recorder) {
  if (order) {
    std::vector<uint32_t> lost; // which nobody counts here
    events += order
                  ->tick(machine, rows[0], given[local], done + local, events,
                         state, lost,
                         [&](uint32_t g, uint64_t, const GroupUpdate &update) {
                           recorder.record(0, g, local, state, update);
                         })
                  .size();
    return;
  }
  const uint64_t ahead = done * machine.period();
  for (uint64_t s = 0; s < machine.depth(); ++s) {
    const uint64_t step = local * machine.period() + s;
    for (const Visit &visit : visits[s]) {
      const Machine::Group &group = machine.groups()[visit.group];
      const uint64_t ticks = group.schedule.ticks;
      if (visit.more)
        sendUnits(state, visit.group, update);
      else
        updateGroup(state, visit.group, (done + local) * ticks + visit.tick,
                    ahead + step, update);
      recorder.record(0, visit.group, local * ticks + visit.tick, state, update,
                      visit.more);
      for (const Emission &each : update.emissions)
        send(group.sourceOf(each.neuron, each.source), each.value,
             ahead + step);
    }
    for (const Injection &each : given[step])
      if (isOf(local, step, each.source))
        send(each.source, each.payload, ahead + step);
  }
}

FunctionalProgram::Stepper::Stepper(const FunctionalProgram &program)
    : kept(std::make_unique<Kept>(*program.parts)) {}
FunctionalProgram::Stepper::~Stepper() = default;

std::vector<OutputData>
FunctionalProgram::Stepper::run(const std::map<std::string, Samples> &values,
                                bool anew) {
  const Machine &machine = kept->machine;
  const Inputs inputs(machine, values);
  if (inputs.samples() != 1)
    throw Error(fmt::format("expected the next steps of one sample, found {} "
                            "samples; step each by itself",
                            inputs.samples()));
  Recorder recorder(machine, {}, 1, inputs.ticks());
  if (kept->order)
    recorder.repeatTicks();
  if (anew) {
    kept->state.reset();
    kept->done = kept->saturated = kept->events = 0;
  }
  std::vector<std::vector<Injection>> given(machine.stepsOf(inputs.ticks()));
  for (uint64_t step = 0; step < given.size(); ++step)
    inputs.at(0, step, given[step], kept->saturated);
  for (uint64_t tick = 0; tick < inputs.ticks(); ++tick)
    kept->runTick(tick, given, recorder);
  kept->done += inputs.ticks();
  return std::move(recorder.outputs);
}

uint64_t FunctionalProgram::Stepper::saturated() const {
  return kept->saturated;
}

RunResult runFunctional(const image::Program &program, const Target &target,
                        const std::map<std::string, Samples> &values,
                        const RunOptions &options) {
  return FunctionalProgram(program, target,
                           sharesWorth(program, values, options.threads))
      .run(values, options);
}

} // namespace dendrolith::sim
