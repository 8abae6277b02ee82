// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/Replay.h"
#include "simulator/functional/machine/CompileGroups.h"
#include "simulator/functional/machine/OnTarget.h"
#include "simulator/timing/CycleEngine.h"
#include "simulator/timing/Transfer.h"
#include "simulator/timing/Worker.h"
#include "targets/support/Error.h"

#include <cstdlib>
#include <optional>
#include <utility>

namespace neurite::sim {

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

static RunResult runInWorker(const image::Program &program,
                             const Target &target,
                             const std::map<std::string, Samples> &values,
                             const RunOptions &options, std::string *record) {
  // Whatever can be refused is refused before a process is started.
  const Machine machine(program);
  checkFits(machine, target);
  const TimingSet &timing = target.timing(options.timing);
  Inputs inputs(machine, values);
  std::optional<Rows> rows;
  if (!options.verify)
    rows.emplace(program, machine, nullptr);
  // Here, where runs that follow find it, and not in the worker.
  const auto compiled =
      compileGroups(machine, options, inputs.ticks(), inputs.samples());

  RunResult result;
  inWorker(
      [&](const Progress &progress, const ByteSink &sink) {
        quietCopyright();
        RunOptions inside = options;
        inside.progress = progress;
        WorkRecord work(machine.cores().size());
        const RunResult found = simulate(
            program, machine, target, timing, inputs, inside,
            rows ? &*rows : nullptr, compiled, record ? &work : nullptr);
        if (record)
          send(work.bytes(inputs.samples(), inputs.ticks()), sink);
        send(found, sink);
      },
      [&](const ByteSource &source) {
        if (record) {
          uint64_t size = 0;
          take(source, reinterpret_cast<char *>(&size), sizeof size);
          record->resize(size);
          take(source, record->data(), size);
        }
        result = receive(source);
      },
      options.progress);
  return result;
}

RunResult runCycle(const image::Program &program, const Target &target,
                   const std::map<std::string, Samples> &values,
                   const RunOptions &options) {
  return runInWorker(program, target, values, options, nullptr);
}

RunResult recordCycle(const image::Program &program, const Target &target,
                      const std::map<std::string, Samples> &values,
                      const RunOptions &options, std::string &record) {
  return runInWorker(program, target, values, options, &record);
}

struct Replay::Parts {
  Machine machine;
  const std::string &record;
};

Replay::Replay(const image::Program &program, const std::string &record)
    : parts(new Parts{Machine(program), record}) {}

Replay::~Replay() = default;

RunResult Replay::run(const Target &target, const RunOptions &options) const {
  const Machine &machine = parts->machine;
  checkFits(machine, target);
  const TimingSet &timing = target.timing(options.timing);
  RunResult times;
  inWorker(
      [&](const Progress &progress, const ByteSink &sink) {
        quietCopyright();
        RunOptions inside = options;
        inside.progress = progress;
        send(replay(machine, target, timing, inside, parts->record), sink);
      },
      [&](const ByteSource &source) { times = receive(source); },
      options.progress);
  return times;
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

} // namespace neurite::sim
