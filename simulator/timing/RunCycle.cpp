// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/RunCycle.h"

#include "runtime/host/Ranks.h"
#include "runtime/host/Wire.h"
#include "runtime/host/Workers.h"
#include "simulator/functional/machine/OnTarget.h"
#include "simulator/record/Collect.h"
#include "simulator/timing/CycleEngine.h"
#include "simulator/timing/kernel/Kernel.h"
#include "simulator/timing/workers/Transfer.h"
#include "simulator/timing/workers/Worker.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace dendrolith::sim {

/// The number of bytes stands before them.
static void send(const std::string &bytes, const ByteSink &sink) {
  const uint64_t size = bytes.size();
  sink({reinterpret_cast<const char *>(&size), sizeof size});
  sink(bytes);
}

static void take(const ByteSource &source, char *to, uint64_t size) {
  while (size > 0) {
    const size_t got = source(to, size);
    if (got == 0)
      throw Error("cycle engine: the worker process sent an incomplete record");
    to += got;
    size -= got;
  }
}

/// One for each processor, or as many as were asked for, but no more than there
/// are samples. A record, a timeline, the order that a test shuffles and states
/// that outlive a sample go on from one sample to the next.
static uint64_t workersOf(const CycleRun &run, bool records) {
  if (records || run.options.timeline.rows || run.options.shuffle ||
      run.machine.carriesState())
    return 1;
  return workersFor(run.options.threads, run.inputs.samples());
}

/// How many workers a single sample is worth (Relay): those of a large network
/// that were not asked for by number. It needs steps between which the mesh
/// keeps nothing but turns, and nothing that is written down as time passes.
static uint64_t legsOf(const CycleRun &run,
                       const std::map<std::string, Samples> &values,
                       bool records) {
  const RunOptions &options = run.options;
  const auto inFile = [](const auto &data) { return data.file != nullptr; };
  if (run.inputs.samples() != 1 || run.inputs.order() || records ||
      options.verify || options.timeline.rows || options.shuffle ||
      !settlesByStep(run.machine, run.target, run.timing) ||
      std::any_of(run.recorder.outputs.begin(), run.recorder.outputs.end(),
                  inFile) ||
      std::any_of(run.recorder.traces.begin(), run.recorder.traces.end(),
                  inFile))
    return 1;
  constexpr uint64_t kSteps = 32; // for which a worker is worth its start
  const uint64_t steps = run.machine.stepsOf(run.inputs.ticks());
  return options.threads > 1
             ? workersFor(options.threads, steps)
             : std::min<uint64_t>(
                   sharesWorth(run.program, values, options.threads),
                   std::max<uint64_t>(steps / kSteps, 1));
}

/// The workers' legs one after the other, from the first on: one whose turns
/// were others than those that came to it is left out.
static void join(const Relay &relay, const std::vector<uint64_t> &ends,
                 std::vector<Part> &parts) {
  uint64_t end = ends.front();
  for (uint64_t w = 1; w < relay.workers(); ++w)
    if (relay.first(w) == end) {
      merge(parts.front(), std::move(parts[w]));
      end = ends[w];
    }
}

/// Says how far it came before what it found. Only who came to the last step
/// has counted and recorded all.
static void runLeg(CycleRun &run, Relay &relay, uint64_t worker,
                   const RunOptions &options, const ByteSink &sink) {
  relay.start(worker);
  std::optional<Part> part;
  uint64_t end = relay.first(worker); // if it does not count
  try {
    part.emplace(simulate(run, {}, options, nullptr, &relay));
    if (relay.taken())
      end = relay.end();
  } catch (...) {
    if (!relay.giveUp())
      throw;
  }
  sink({reinterpret_cast<const char *>(&end), sizeof end});
  if (end == run.machine.stepsOf(run.inputs.ticks()))
    send(*part, run.recorder, {}, run.inputs.samples(), sink);
  else
    send(part ? part->times : RunResult(), sink);
}

static RunResult runInWorkers(const image::Program &program,
                              const Target &target,
                              const std::map<std::string, Samples> &values,
                              const RunOptions &options, std::string *record) {
  CycleRun run(program, target, values, options);
  const uint64_t samples = run.inputs.samples();
  const uint64_t steps = run.inputs.mostSteps();
  const uint64_t allSteps = run.inputs.allSteps();
  std::optional<Relay> relay;
  if (const uint64_t legs = legsOf(run, values, record); legs > 1)
    relay.emplace(steps, legs);
  const uint64_t workers = relay ? relay->workers() : workersOf(run, record);
  const auto shareOf = [&](size_t worker) {
    return relay ? Share() : Share{worker, workers};
  };
  std::vector<uint64_t> ends(workers, steps); // of what each has timed
  // Zeros that a worker would copy take no memory until its values come.
  for (const OutputData &output : run.recorder.outputs)
    letGo(output.values.data(), output.values.size() * sizeof(double));
  for (const TraceData &trace : run.recorder.traces)
    letGo(trace.values.data(), trace.values.size() * sizeof(int64_t));
  std::vector<Part> parts(workers, Part(run.machine, run.limited.get()));
  loadKernel();
  inWorkers(
      workers,
      [&](size_t worker, const Progress &progress, const ByteSink &sink) {
        RunOptions inside = options;
        inside.progress = progress;
        WorkRecord work(run.machine.cores().size());
        if (relay)
          return runLeg(run, *relay, worker, inside, sink);
        Part part =
            simulate(run, shareOf(worker), inside, record ? &work : nullptr);
        if (record)
          send(work.bytes(run.inputs), sink);
        send(part, run.recorder, shareOf(worker), samples, sink);
      },
      [&](size_t worker, const ByteSource &source) {
        if (record) {
          uint64_t size = 0;
          take(source, reinterpret_cast<char *>(&size), sizeof size);
          record->resize(size);
          take(source, record->data(), size);
        }
        if (relay)
          take(source, reinterpret_cast<char *>(&ends[worker]),
               sizeof ends[worker]);
        if (ends[worker] == steps)
          receive(parts[worker], run.recorder, shareOf(worker), samples,
                  source);
        else
          parts[worker].times = receive(source);
      },
      // Workers that have not reported yet have steps to do, too.
      options.progress ? [&](uint64_t done, uint64_t) {
        options.progress(std::min(done, allSteps), allSteps);
      } : Progress());
  Part &all = parts.front();
  if (relay)
    join(*relay, ends, parts);
  else
    for (size_t worker = 1; worker < workers; ++worker)
      merge(all, std::move(parts[worker]));
  RunResult result =
      collect({program.statistics(), target, run.machine, run.inputs,
               run.traffic(), all.events, all.limits, run.recorder});
  putTimes(result, std::move(all.times));
  return result;
}

RunResult runCycle(const image::Program &program, const Target &target,
                   const std::map<std::string, Samples> &values,
                   const RunOptions &options) {
  if (options.ranks && options.ranks->size() > 1)
    return runCycleTogether(program, target, values, options);
  return runInWorkers(program, target, values, options, nullptr);
}

RunResult recordCycle(const image::Program &program, const Target &target,
                      const std::map<std::string, Samples> &values,
                      const RunOptions &options, std::string &record) {
  return runInWorkers(program, target, values, options, &record);
}

struct Replay::Parts {
  Machine machine;
  const std::string &record;
};

Replay::Replay(const image::Program &program, const std::string &record)
    : parts(new Parts{Machine(program, Machine::Lists::Timed), record}) {}

Replay::~Replay() = default;

static RunResult replayInWorker(const Machine &machine, const Target &target,
                                const TimingSet &timing,
                                const RunOptions &options,
                                const std::string &record) {
  RunResult times;
  loadKernel();
  inWorkers(
      1,
      [&](size_t, const Progress &progress, const ByteSink &sink) {
        RunOptions inside = options;
        inside.progress = progress;
        send(replay(machine, target, timing, inside, record), sink);
      },
      [&](size_t, const ByteSource &source) { times = receive(source); },
      options.progress);
  return times;
}

RunResult Replay::run(const Target &target, const RunOptions &options) const {
  checkFits(parts->machine, target);
  return replayInWorker(parts->machine, target, target.timing(options.timing),
                        options, parts->record);
}

uint64_t Replay::management(const Target &target,
                            const std::string &timing) const {
  return target.timing(timing).management.time(
      extentOf(parts->machine, target).fullest);
}

void putTimes(RunResult &result, RunResult times) {
  for (auto &[core, counts] : result.counts.cores)
    counts[Counter::Stalls] = times.counts.cores[core][Counter::Stalls];
  result.counts.host[Counter::Stalls] = times.counts.host[Counter::Stalls];
  result.timePs = times.timePs;
  result.sampleLatencyPs = std::move(times.sampleLatencyPs);
  result.stepTimes = std::move(times.stepTimes);
  result.coreActivity = std::move(times.coreActivity);
  result.linkActivity = std::move(times.linkActivity);
  result.timeline = std::move(times.timeline);
}

} // namespace dendrolith::sim
