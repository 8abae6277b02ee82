// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/RunInterpreter.h"

#include "compiler/pipelines/Diagnostics.h"
#include "compiler/pipelines/InputFeeder.h"
#include "compiler/pipelines/RunSamples.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/reference/Interpreter.h"
#include "runtime/host/Processors.h"
#include "runtime/host/Workers.h"
#include "simulator/record/Room.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <stdexcept>

namespace neurite::session {
namespace {

/// Appends the values of one of `ticks` ticks, with room for those of all:
/// arrays that grow take twice their memory.
template <typename T, typename Values>
void append(std::vector<T> &array, const Values &values, uint64_t ticks) {
  if (array.empty())
    array.reserve(values.size() * ticks);
  array.insert(array.end(), values.begin(), values.end());
}

/// Appends one root tick of a signal to a trace.
void append(Array &array, const dend::Signal &signal, uint64_t ticks) {
  array.kind = signal.isReal ? Array::Kind::Float : Array::Kind::Int;
  append(array.real, signal.real, ticks);
  append(array.ints, signal.raw, ticks);
}

/// The numbers that users know a population's neurons by; empty where they are
/// those of the network.
std::vector<int64_t> numbersOf(dend::PopulationOp population) {
  if (std::optional<mlir::ElementsAttr> attr = population.getNumbers())
    if (auto numbers = dend::readInts(*attr); succeeded(numbers))
      return std::move(*numbers);
  return {};
}

std::vector<int64_t> numbersOf(dend::NetworkOp network,
                               llvm::StringRef population) {
  auto op = network.lookupSymbol<dend::PopulationOp>(population);
  return op ? numbersOf(op) : std::vector<int64_t>();
}

std::vector<int64_t> numbersOfOutput(dend::NetworkOp network,
                                     const std::string &name) {
  for (auto output : network.getOps<dend::OutputOp>())
    if (output.getSymName() == name)
      return numbersOf(network, output.getPopulation());
  return {};
}

/// Brings values of a whole population, tick by tick and neuron by neuron, into
/// the order of the numbers.
template <typename T>
void renumber(std::vector<T> &values, const std::vector<int64_t> &numbers,
              size_t ticks) {
  if (numbers.empty() || values.empty())
    return;
  const size_t width = values.size() / ticks, each = width / numbers.size();
  std::vector<T> before(width);
  for (T *tick = values.data(); tick != values.data() + values.size();
       tick += width) {
    std::copy_n(tick, width, before.begin());
    for (size_t i = 0; i < width; ++i)
      tick[size_t(numbers[i / each]) * each + i % each] = before[i];
  }
}

/// Takes the ticks of an output one by one, in order, and brings them where its
/// values lie.
class OutputTicks {
public:
  OutputTicks(sim::OutputData &data, std::vector<int64_t> numbers,
              uint64_t ticks)
      : data(data), numbers(std::move(numbers)), ticks(ticks) {}

  void append(const std::vector<double> &values,
              const sim::OutputStore &store) {
    if (next++ == 0 && store)
      data.file = store(data, values.size() * ticks);
    std::vector<double> &to = data.file ? block : data.values;
    if (to.empty())
      to.reserve(data.file ? kBlock + values.size() : values.size() * ticks);
    to.insert(to.end(), values.begin(), values.end());
    if (!numbers.empty()) {
      std::vector<double> tick(to.end() - ptrdiff_t(values.size()), to.end());
      renumber(tick, numbers, data.ticks);
      std::copy(tick.begin(), tick.end(), to.end() - ptrdiff_t(tick.size()));
    }
    if (data.file && (next == ticks || block.size() >= kBlock)) {
      data.file->put(written, block.data(), block.size());
      written += block.size();
      block.clear();
    }
  }

private:
  static constexpr size_t kBlock = 1 << 12;

  sim::OutputData &data;
  const std::vector<int64_t> numbers;
  const uint64_t ticks;
  uint64_t next = 0, written = 0;
  std::vector<double> block;
};

/// A population with one binary output, in the order of an image.
struct Emitter {
  std::string name;
  uint32_t population = 0;
  std::vector<int64_t> numbers; // numbersOf() it
};

std::vector<Emitter> findEmitters(dend::NetworkOp network) {
  std::map<std::string, dend::PopulationOp> byName;
  for (auto population : network.getOps<dend::PopulationOp>())
    byName[population.getSymName().str()] = population;
  std::vector<Emitter> emitters;
  uint32_t index = 0;
  for (auto &[name, population] : byName) {
    uint32_t at = index++;
    dend::NeuronOp model = dend::modelOf(population);
    if (model.getOutputs().size() != 1 ||
        model.getOutput(0).getType() != dend::binarySpike(network.getContext()))
      continue;
    emitters.push_back({name, at, numbersOf(population)});
  }
  return emitters;
}

/// Adds what a population emitted in a root tick, rising.
void append(std::vector<sim::SpikeEvent> &events, const Emitter &emitter,
            const dend::Signal &signal, uint64_t rootTick) {
  size_t size = signal.isReal ? signal.real.size() : signal.raw.size();
  size_t width = size / std::max<size_t>(size_t(signal.ticks), 1);
  size_t before = events.size();
  for (size_t i = 0; i < size; ++i) {
    if (signal.isReal ? signal.real[i] == 0 : signal.raw[i] == 0)
      continue;
    uint64_t tick = rootTick * uint64_t(signal.ticks) + i / width;
    uint64_t neuron = i % width;
    if (!emitter.numbers.empty())
      neuron = uint64_t(emitter.numbers[neuron]);
    events.push_back({uint32_t(tick), emitter.population, uint32_t(neuron), 1});
  }
  std::sort(events.begin() + std::ptrdiff_t(before), events.end());
}

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
         const std::vector<Emitter> &emitters)
      : interpreter(std::move(made)), feeder(*interpreter, run.inputs),
        run(run), traces(traces), emitters(emitters) {}

  /// Gives each tick to `take`, in order, and adds emissions to `spikes`.
  template <typename Take>
  void play(uint64_t sample, std::vector<sim::SpikeEvent> *spikes, Take take) {
    interpreter->reset();
    for (uint64_t tick = 0; tick < feeder.ticks; ++tick) {
      try {
        interpreter->tick(feeder.at(sample, tick));
      } catch (const std::invalid_argument &error) {
        throw Error(fmt::format(
            "sample {}, tick {}: {}; encode the input as events first, or "
            "choose a target with graded spikes and give --calibrate",
            sample, tick, error.what()));
      }
      for (const Emitter &emitter : emitters)
        append(*spikes, emitter, interpreter->emission(emitter.name), tick);
      take(seen());
    }
  }

  const std::unique_ptr<dend::Interpreter> interpreter;
  InputFeeder feeder;

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
};

/// Brings what ticks leave behind into the arrays of a recording, in order.
class Keeper {
public:
  Keeper(const InterpreterRun &run, const Player &player,
         const std::vector<sim::TraceSource> &sources)
      : run(run), player(player), traces(sources.size()) {
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
      ends.emplace_back(data, numbersOfOutput(run.network, data.name), all());
  }

  uint64_t all() const { return recording.samples * recording.ticks; }

  void take(const Tick &tick) {
    for (size_t o = 0; o < ends.size(); ++o)
      ends[o].append(tick.outputs[o], run.store);
    for (size_t i = 0; i < traces.size(); ++i) {
      const dend::Signal &signal = tick.traces[i];
      if (taken == 0)
        sim::reserveValues(reserved, recording.samples, recording.ticks,
                           std::max(signal.real.size(), signal.raw.size()),
                           sim::textOf(run.traces[i]));
      append(traces[i], signal, all());
    }
    ++taken;
  }

  /// Gives the traces their shapes and their order.
  void finish() {
    for (size_t i = 0; i < traces.size(); ++i) {
      const std::string &population = run.traces[i].population;
      const uint64_t ticks =
          recording.ticks *
          static_cast<uint64_t>(player.interpreter->ticks(population));
      const uint64_t size =
          std::max(traces[i].real.size(), traces[i].ints.size()) /
          (recording.samples * ticks);
      traces[i].shape = {recording.samples, ticks, size};
      const std::vector<int64_t> numbers = numbersOf(run.network, population);
      renumber(traces[i].real, numbers, recording.samples * ticks);
      renumber(traces[i].ints, numbers, recording.samples * ticks);
      recording.traces[sim::textOf(run.traces[i])] = std::move(traces[i]);
    }
  }

  Recording recording;

private:
  const InterpreterRun &run;
  const Player &player;
  std::vector<OutputTicks> ends; // of the recording's outputs
  std::vector<Array> traces;
  uint64_t reserved = 0; // values of traces
  uint64_t taken = 0;    // ticks
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

} // namespace

Recording runInterpreter(const InterpreterRun &run) {
  std::vector<sim::TraceSource> sources;
  const std::vector<sim::Traceable> traceables = traceablesOf(run.network);
  for (const sim::TraceRequest &request : run.traces)
    sources.push_back(sim::resolveTrace(request, traceables));
  std::vector<Emitter> emitters;
  if (run.spikes)
    emitters = findEmitters(run.network);
  DiagnosticsAsError errors(run.network.getContext());
  std::deque<Player> players;
  for (unsigned wanted = 1; players.size() < wanted;) {
    auto created = dend::Interpreter::create(run.network, run.bindings);
    errors.check(created, "the network cannot be interpreted");
    players.emplace_back(std::move(*created), run, sources, emitters);
    if (!outlivesSamples(run.network))
      wanted = workersFor(run.threads, players.front().feeder.samples);
  }
  Keeper keeper(run, players.front(), sources);
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
  keeper.finish();
  return std::move(keeper.recording);
}

} // namespace neurite::session
