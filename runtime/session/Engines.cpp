// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Engines.h"

#include "runtime/session/Progress.h"
#include "simulator/report/Result.h"
#include "simulator/report/TimelineFile.h"

#include <cstdio>

namespace neurite::session {

Recording
Engines::interpret(bool real, const std::vector<sim::TraceRequest> &traces,
                   const std::function<void(uint64_t, uint64_t)> &progress) {
  Compilation &from = workload.model ? *workload.model : *workload.origin;
  return runInterpreter(real ? from.floatNetwork() : from.fixedNetwork(),
                        from.constants(), workload.inputs.samples, traces,
                        progress, workload.inputs.expected.has_value());
}

Recording Engines::run(const std::string &engine,
                       const std::vector<sim::TraceRequest> &traces) {
  Progress bar(engine + " engine");
  auto progress = [&](uint64_t done, uint64_t total) { bar.show(done, total); };
  if (!onChip(engine))
    return interpret(engine == "float", traces, progress);
  Target target = workload.chip();
  sim::RunOptions options;
  options.verify = flags.verify;
  options.timing = flags.timing;
  options.timelineEvents =
      !flags.timeline.empty() ? report::kTimelineEvents : 0;
  options.traces = traces;
  options.spikes = workload.inputs.expected.has_value();
  options.threads = flags.threads;
  options.progress = progress;
  if (engine == "cycle") {
    result = sim::runCycle(workload.program, target, workload.inputs.samples,
                           options);
  } else {
    Stopwatch watch;
    // Nothing needs the tables any more, and large ones are most of it.
    sim::FunctionalProgram prepared(&workload.program, target);
    wallPrepare = watch.seconds();
    result = prepared.run(workload.inputs.samples, options);
  }
  return recordingOf(result);
}

void Engines::verify(const Recording &recording,
                     const std::vector<sim::TraceRequest> &traces) {
  if (!onChip(flags.engine))
    throw Error("--verify compares the functional or cycle engine with the "
                "reference; choose --engine functional or cycle");
  if (!workload.model) {
    std::printf("Verified: accumulators equal at every barrier (no model "
                "file given, so not compared with the reference)\n");
    return;
  }
  Recording reference = run("reference", traces);
  if (recording.spikes != reference.spikes)
    throw Error("verification failed: spikes of the " + flags.engine +
                " engine differ from the reference interpreter");
  for (size_t o = 0; o < recording.outputs.size(); ++o)
    if (recording.outputs[o].values != reference.outputs[o].values)
      throw Error("verification failed: output '" + recording.outputs[o].name +
                  "' of the " + flags.engine +
                  " engine differs from the reference interpreter");
  for (const auto &[name, trace] : recording.traces)
    if (trace.ints != reference.traces.at(name).ints)
      throw Error("verification failed: trace '" + name + "' of the " +
                  flags.engine +
                  " engine differs from the reference interpreter");
  std::printf("Verified: %zu output(s) and %zu trace(s) equal to the "
              "reference interpreter at every tick\n",
              recording.outputs.size(), recording.traces.size());
}

} // namespace neurite::session
