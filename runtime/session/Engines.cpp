// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Engines.h"

#include "compiler/native/BodyCompiler.h"
#include "runtime/session/ModelInputs.h"
#include "runtime/session/ModelRequest.h"
#include "runtime/session/ResultFiles.h"
#include "runtime/session/RunInterpreter.h"
#include "runtime/session/Stopwatch.h"
#include "runtime/session/native/NativePrograms.h"
#include "simulator/functional/machine/CoreShares.h"
#include "simulator/report/result/Result.h"
#include "targets/loader/Describe.h"

#include <fmt/format.h>

namespace dendrolith::session {

/// Whether the input is a study's, which asks for the spikes of all neurons.
static bool fromStudy(const Workload &workload) {
  return !workload.inputs.expectedIn.empty();
}

Recording Engines::interpret(bool real,
                             const std::vector<sim::TraceRequest> &traces,
                             const Progress &progress) {
  Compilation &from = workload.model ? *workload.model : *workload.origin;
  const bool further = ran;
  ran = true;
  InterpreterRun run{real ? from.floatNetwork() : from.fixedNetwork(),
                     from.constants(), workload.inputs.samples};
  run.traces = traces;
  run.progress = progress;
  run.spikes = fromStudy(workload);
  std::shared_ptr<NpzFile> traceFile;
  run.stores.outputs = longOutputs(workload, further);
  if (!further)
    run.stores.traces =
        longTraces(workload, NpzFile::Writers::ThisProcess, traceFile);
  run.threads = request.threads;
  if (real && !further && request.digest)
    run.operations = &operations;
  // The reference engine stays what all others are held against.
  run.fast = real;
  if (real && request.jit != "off")
    run.compiler = &native::bodyCompiler();
  run.alwaysCompile = request.jit == "on";
  Recording recording = runInterpreter(run);
  recording.traceFile = std::move(traceFile);
  return recording;
}

Recording Engines::run(const std::string &engine,
                       const std::vector<sim::TraceRequest> &traces) {
  const Progress progress = request.model.listener.begin(engine + " engine");
  if (!onChip(engine))
    return interpret(engine == "float", traces, progress);
  Target target = workload.chip();
  sim::RunOptions options;
  options.verify = request.verify;
  options.timing = request.timing;
  options.timeline = request.timeline;
  options.traces = traces;
  options.spikes = fromStudy(workload);
  options.threads = request.threads;
  if (request.jit != "off")
    options.compiler = nativePrograms();
  options.alwaysCompile = request.jit == "on";
  options.progress = progress;
  if (request.ranked) {
    options.ranks = &request.ranked->ranks();
    options.rankCores = workload.rankCores;
    options.ready = [this] { request.ranked->begin(); };
    options.progress = [progress](uint64_t done, uint64_t total) {
      RankedCommand::at(done);
      progress(done, total);
    };
  }
  options.stores.outputs = longOutputs(workload, /*further=*/false);
  std::shared_ptr<NpzFile> traceFile;
  // The cycle engine's workers are processes of their own.
  const auto writers = engine == "cycle" ? NpzFile::Writers::Several
                                         : NpzFile::Writers::ThisProcess;
  options.stores.traces = longTraces(workload, writers, traceFile);
  ran = true;
  if (engine == "cycle") {
    result = sim::runCycle(workload.program, target, workload.inputs.samples,
                           options);
  } else {
    Stopwatch watch;
    // Nothing needs the tables any more, and large ones are most of it.
    const unsigned shares = sim::sharesWorth(
        workload.program, workload.inputs.samples, request.threads);
    const sim::CoreShare own =
        options.ranks
            ? workload.rankCores[options.ranks->rank()]
            : sim::CoreShare{0, uint32_t(workload.program.cores_size())};
    sim::FunctionalProgram prepared(&workload.program, target, shares, own);
    wallPrepare = watch.seconds();
    result = prepared.run(workload.inputs.samples, options);
  }
  if (request.ranked)
    request.ranked->end();
  Recording recording = recordingOf(std::move(result));
  recording.traceFile = std::move(traceFile);
  return recording;
}

void Engines::verify(const Recording &recording,
                     const std::vector<sim::TraceRequest> &traces) {
  if (!onChip(request.engine))
    throw Error("--verify compares the functional or cycle engine with the "
                "reference; choose --engine functional or cycle");
  // For events one by one, the other engine with that order is the reference.
  const bool queues = request.engine == "cycle" && queueOf(workload.chip());
  if (!queues && !workload.model) {
    request.model.listener.find(
        "Verified: accumulators equal at every barrier (no model file given, "
        "so not compared with the reference)");
    return;
  }
  Recording reference;
  if (queues) {
    sim::RunOptions options;
    options.traces = traces;
    options.spikes = fromStudy(workload);
    reference = recordingOf(sim::runFunctional(
        workload.program, workload.chip(), workload.inputs.samples, options));
  } else {
    reference = run("reference", traces);
  }
  const std::string other =
      queues ? "functional engine" : "reference interpreter";
  if (recording.spikes != reference.spikes)
    throw Error("verification failed: spikes of the " + request.engine +
                " engine differ from the " + other);
  for (size_t o = 0; o < recording.outputs.size(); ++o)
    if (!sameValues(recording.outputs[o], reference.outputs[o]))
      throw Error("verification failed: output '" + recording.outputs[o].name +
                  "' of the " + request.engine + " engine differs from the " +
                  other);
  for (const auto &[name, trace] : recording.traces)
    if (trace.ints != reference.traces.at(name).ints)
      throw Error("verification failed: trace '" + name + "' of the " +
                  request.engine + " engine differs from the " + other);
  request.model.listener.find(
      fmt::format("Verified: {} output(s) and {} trace(s) equal to the {} at "
                  "every tick",
                  recording.outputs.size(), recording.traces.size(), other));
}

std::vector<sim::OutputData> SteppedRun::run(const RunRequest &request,
                                             bool anew) {
  if (!stepper) {
    Workload workload(request);
    model = workload.model;
    const Target chip = workload.chip();
    program = std::move(workload.program);
    engine.emplace(&program, chip);
    stepper.emplace(*engine);
    return stepper->run(workload.inputs.samples, anew);
  }
  const Listener &listener = request.model.listener;
  const LoadedInputs next =
      model ? loadRunInputs(*model, request.path, request.inputs,
                            request.model.steps, listener)
            : loadInputs(request.inputs, inputShapes(program),
                         request.model.steps, listener);
  if (model)
    checkSamples(*model, next.samples);
  else
    checkSamples(program, next.samples);
  return stepper->run(next.samples, anew);
}

} // namespace dendrolith::session
