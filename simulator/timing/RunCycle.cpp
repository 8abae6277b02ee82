// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Ranks.h"
#include "runtime/host/Wire.h"
#include "runtime/host/Workers.h"
#include "simulator/Replay.h"
#include "simulator/functional/machine/OnTarget.h"
#include "simulator/record/Collect.h"
#include "simulator/timing/CycleEngine.h"
#include "simulator/timing/Transfer.h"
#include "simulator/timing/Worker.h"
#include "simulator/timing/kernel/Kernel.h"
#include "targets/support/Error.h"

#include <cstdlib>
#include <utility>
#include <vector>

namespace dendrolith::sim {

static void quietCopyright() {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
}

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
  if (records || run.options.timelineEvents || run.options.shuffle ||
      run.machine.carriesState())
    return 1;
  return workersFor(run.options.threads, run.inputs.samples());
}

static RunResult runInWorkers(const image::Program &program,
                              const Target &target,
                              const std::map<std::string, Samples> &values,
                              const RunOptions &options, std::string *record) {
  CycleRun run(program, target, values, options);
  const uint64_t workers = workersOf(run, record);
  const uint64_t samples = run.inputs.samples();
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
        quietCopyright();
        const Share share = {worker, workers};
        RunOptions inside = options;
        inside.progress = progress;
        WorkRecord work(run.machine.cores().size());
        Part part = simulate(run, share, inside, record ? &work : nullptr);
        if (record)
          send(work.bytes(samples, run.inputs.ticks()), sink);
        send(part, run.recorder, share, samples, sink);
      },
      [&](size_t worker, const ByteSource &source) {
        if (record) {
          uint64_t size = 0;
          take(source, reinterpret_cast<char *>(&size), sizeof size);
          record->resize(size);
          take(source, record->data(), size);
        }
        receive(parts[worker], run.recorder, {worker, workers}, samples,
                source);
      },
      // Workers that have not reported yet have steps to do, too.
      options.progress ? [&](uint64_t done, uint64_t) {
        options.progress(done, samples * run.machine.stepsOf(
                                             run.inputs.ticks()));
      } : Progress());
  Part &all = parts.front();
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

RunResult replayInWorker(const Machine &machine, const Target &target,
                         const TimingSet &timing, const RunOptions &options,
                         const std::string &record) {
  RunResult times;
  loadKernel();
  inWorkers(
      1,
      [&](size_t, const Progress &progress, const ByteSink &sink) {
        quietCopyright();
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
