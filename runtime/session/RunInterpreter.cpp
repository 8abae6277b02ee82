// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/RunInterpreter.h"

#include "compiler/pipelines/Diagnostics.h"
#include "compiler/pipelines/samples/RunSamples.h"
#include "dialects/dend/fast/Interpreter.h"
#include "runtime/host/Workers.h"
#include "runtime/session/TickArrays.h"
#include "simulator/record/Recorder.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>

namespace dendrolith::session {
namespace {

/// What one root tick leaves behind.
struct Tick {
  std::vector<std::vector<double>> outputs; // by output
  std::vector<dend::Signal> traces;         // by trace
};

/// The samples of a run in one interpreter, one after the other.
class Player {
public:
  Player(std::unique_ptr<dend::Interpreter> made, const InterpreterRun &run,
         const std::vector<sim::TraceSource> &traces,
         const std::vector<Emitter> &emitters, const Fans *fans)
      : interpreter(std::move(made)), feeder(*interpreter, run.inputs),
        run(run), traces(traces), emitters(emitters), fans(fans) {}

  /// Gives each tick to `take`, in order, and adds emissions to `spikes`.
  template <typename Take>
  void play(uint64_t sample, sim::SpikeList *spikes, Take take) {
    interpreter->reset();
    for (uint64_t tick = 0; tick < feeder.ticks; ++tick) {
      const auto &inputs = feeder.at(sample, tick);
      try {
        interpreter->tick(inputs);
      } catch (const std::invalid_argument &error) {
        throw Error(fmt::format(
            "sample {}, tick {}: {}; encode the input as events first, or "
            "choose a target with graded spikes and give --calibrate",
            sample, tick, error.what()));
      }
      if (fans)
        fans->add(*interpreter, inputs, operations);
      for (const Emitter &emitter : emitters)
        append(*spikes, emitter, interpreter->emission(emitter.name), tick);
      take(seen());
    }
  }

  const std::unique_ptr<dend::Interpreter> interpreter;
  InputFeeder feeder;
  OperationSums operations; // of all its samples

private:
  Tick seen() const {
    Tick tick;
    for (const dend::OutputInfo &output : interpreter->outputs())
      tick.outputs.push_back(interpreter->output(output.name));
    for (size_t i = 0; i < traces.size(); ++i) {
      const std::string &population = run.traces[i].population;
      tick.traces.push_back(
          traces[i].emitted ? interpreter->emission(population, traces[i].name)
                            : interpreter->state(population, traces[i].name));
    }
    return tick;
  }

  const InterpreterRun &run;
  const std::vector<sim::TraceSource> &traces;
  const std::vector<Emitter> &emitters;
  const Fans *const fans;
};

/// Brings what ticks leave behind into the arrays of a recording, in order.
class Keeper {
public:
  Keeper(const InterpreterRun &run, const Player &player) : run(run) {
    recording.samples = player.feeder.samples;
    recording.ticks = player.feeder.ticks;
    for (const dend::OutputInfo &output : player.interpreter->outputs()) {
      sim::OutputData data;
      data.name = output.name;
      data.kind = output.probe ? image::Output::STATE : image::Output::SPIKES;
      data.ticks = static_cast<uint64_t>(output.ticks);
      data.shape.assign(output.shape.begin(), output.shape.end());
      data.integer = output.integer && !output.probe;
      recording.outputs.push_back(std::move(data));
    }
    for (sim::OutputData &data : recording.outputs)
      ends.emplace_back(data, run.network, all());
    for (const sim::TraceRequest &request : run.traces)
      traces.emplace_back(run.network, request, all());
  }

  uint64_t all() const { return recording.samples * recording.ticks; }

  void take(const Tick &tick) {
    for (size_t o = 0; o < ends.size(); ++o)
      ends[o].append(tick.outputs[o], run.stores.outputs);
    if (data.empty())
      open(tick.traces);
    for (size_t i = 0; i < traces.size(); ++i)
      traces[i].append(tick.traces[i]);
  }

  /// Takes the traces that lie in memory.
  void finish() {
    for (size_t i = 0; i < data.size(); ++i) {
      if (data[i].file)
        continue;
      traces[i].array.shape = {recording.samples,
                               recording.ticks * data[i].ticks, data[i].size};
      recording.traces[data[i].name] = std::move(traces[i].array);
    }
  }

  Recording recording;

private:
  /// The first signals tell how large traces are, and so where they go.
  void open(const std::vector<dend::Signal> &signals) {
    for (size_t i = 0; i < traces.size(); ++i)
      data.push_back(traces[i].describe(signals[i]));
    if (run.stores.traces && !data.empty())
      run.stores.traces(data, recording.samples, recording.ticks);
    uint64_t reserved = 0; // values of traces
    for (size_t i = 0; i < traces.size(); ++i)
      if (data[i].file)
        traces[i].writeTo(data[i].file);
      else
        sim::reserveValues(reserved, recording.samples,
                           recording.ticks * data[i].ticks, data[i].size,
                           data[i].name);
  }

  const InterpreterRun &run;
  std::vector<OutputTicks> ends; // of the recording's outputs
  std::vector<TraceTicks> traces;
  std::vector<sim::TraceData> data; // of the traces, from the first tick on
};

/// Tells of ticks that are done, from the thread that asked for the run.
class Told {
public:
  Told(const InterpreterRun &run, uint64_t all) : run(run), all(all) {}
  void tick(bool mayTell) {
    const uint64_t ticks = ++done;
    if (mayTell && (ticks % kEvery == 0 || ticks == all))
      now();
  }
  void now() const {
    if (run.progress)
      run.progress(done, all);
  }

private:
  static constexpr uint64_t kEvery = 64;
  const InterpreterRun &run;
  const uint64_t all;
  std::atomic<uint64_t> done{0};
};

constexpr char kNotInterpreted[] = "the network cannot be interpreted";

std::unique_ptr<dend::Interpreter> makePlain(const InterpreterRun &run,
                                             DiagnosticsAsError &errors) {
  auto made = dend::Interpreter::create(run.network, run.bindings);
  errors.check(made, kNotInterpreted);
  return std::move(*made);
}

std::unique_ptr<dend::Interpreter>
makeFast(const InterpreterRun &run,
         const std::vector<sim::TraceSource> &sources,
         DiagnosticsAsError &errors) {
  auto made = dend::fast::Interpreter::create(run.network, run.bindings);
  errors.check(made, kNotInterpreted);
  std::set<std::pair<std::string, std::string>> traced;
  for (size_t i = 0; i < sources.size(); ++i)
    if (!sources[i].emitted)
      traced.insert({run.traces[i].population, sources[i].name});
  (*made)->recordStates(traced);
  const InputFeeder feeder(**made, run.inputs);
  (*made)->compile(
      {run.compiler, run.alwaysCompile, feeder.samples * feeder.ticks});
  return std::move(*made);
}

} // namespace

Recording runInterpreter(const InterpreterRun &run) {
  dend::NetworkOp network = run.network;
  std::vector<sim::TraceSource> sources;
  const std::vector<sim::Traceable> traceables = traceablesOf(network);
  for (const sim::TraceRequest &request : run.traces)
    sources.push_back(sim::resolveTrace(request, traceables));
  std::vector<Emitter> emitters;
  if (run.spikes)
    emitters = findEmitters(network);
  DiagnosticsAsError errors(network.getContext());
  std::optional<Fans> fans;
  if (run.operations)
    fans.emplace(network);
  std::deque<Player> players;
  for (unsigned wanted = 1; players.size() < wanted;) {
    players.emplace_back(run.fast ? makeFast(run, sources, errors)
                                  : makePlain(run, errors),
                         run, sources, emitters, fans ? &*fans : nullptr);
    if (!outlivesSamples(network))
      wanted = workersFor(run.threads, players.front().feeder.samples);
  }
  Keeper keeper(run, players.front());
  Recording &recording = keeper.recording;
  recording.spikes.resize(run.spikes ? recording.samples : 0);
  Told told(run, keeper.all());
  auto spikesOf = [&](uint64_t sample) {
    return run.spikes ? &recording.spikes[sample] : nullptr;
  };
  const auto threads = static_cast<uint32_t>(players.size());
  if (threads == 1) {
    for (uint64_t sample = 0; sample < recording.samples; ++sample)
      players.front().play(sample, spikesOf(sample), [&](const Tick &tick) {
        keeper.take(tick);
        told.tick(true);
      });
  } else {
    // The arrays are filled in order, so threads wait for each other behind
    // every sample.
    Workers workers(threads);
    std::vector<std::deque<Tick>> seen(threads);
    for (uint64_t first = 0; first < recording.samples; first += threads) {
      const uint64_t count =
          std::min<uint64_t>(threads, recording.samples - first);
      workers.share(uint32_t(count), [&](uint32_t i, unsigned worker) {
        players[i].play(first + i, spikesOf(first + i), [&](Tick tick) {
          seen[i].push_back(std::move(tick));
          told.tick(worker == 0);
        });
      });
      for (uint32_t i = 0; i < count; ++i)
        for (; !seen[i].empty(); seen[i].pop_front())
          keeper.take(seen[i].front());
      told.now();
    }
  }
  for (const Player &player : players)
    if (run.operations) {
      run.operations->accumulates += player.operations.accumulates;
      run.operations->multiplies += player.operations.multiplies;
    }
  keeper.finish();
  return std::move(keeper.recording);
}

} // namespace dendrolith::session
