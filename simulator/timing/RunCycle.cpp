// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/RunCycle.h"

#include "runtime/host/Ranks.h"
#include "runtime/host/Wire.h"
#include "runtime/host/Workers.h"
#include "simulator/record/Collect.h"
#include "simulator/timing/CycleEngine.h"
#include "simulator/timing/Replay.h"
#include "simulator/timing/kernel/Kernel.h"
#include "simulator/timing/workers/Worker.h"
#include "targets/support/Error.h"

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

} // namespace dendrolith::sim
