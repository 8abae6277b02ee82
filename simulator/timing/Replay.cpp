// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/Replay.h"

#include "simulator/functional/machine/OnTarget.h"
#include "simulator/timing/CycleEngine.h"
#include "simulator/timing/kernel/Kernel.h"
#include "simulator/timing/workers/Transfer.h"
#include "simulator/timing/workers/Worker.h"

#include <utility>

namespace dendrolith::sim {

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
