// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Recording.h"

#include "compiler/pipelines/Diagnostics.h"
#include "compiler/pipelines/InputFeeder.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/reference/Interpreter.h"
#include "runtime/arrays/WriteArrays.h"
#include "runtime/session/Raster.h"
#include "simulator/record/Room.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <set>
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

} // namespace

std::vector<sim::Traceable> traceablesOf(dend::NetworkOp network) {
  std::vector<sim::Traceable> all;
  for (auto population : network.getOps<dend::PopulationOp>()) {
    dend::NeuronOp model = dend::modelOf(population);
    sim::Traceable &one = all.emplace_back();
    one.population = population.getSymName().str();
    for (unsigned i = 0; i < model.getStates().size(); ++i)
      one.states.push_back(model.getState(i).getName().getValue().str());
    for (unsigned i = 0; i < model.getOutputs().size(); ++i)
      one.outputs.push_back(model.getOutput(i).getName().getValue().str());
  }
  return all;
}

std::vector<sim::TraceRequest> parseTraces(const std::string &text) {
  std::vector<sim::TraceRequest> all;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string item = text.substr(at, end - at);
    // A node's name may hold anything but the state follows the last colon.
    size_t colon = item.rfind(':');
    if (item.empty() || colon == 0)
      throw Error("--trace '" + text + "': expected NODE[:STATE],...");
    all.push_back({item.substr(0, colon), colon == std::string::npos
                                              ? std::string()
                                              : item.substr(colon + 1)});
    at = end + 1;
  }
  return all;
}

std::vector<sim::TraceRequest>
tracesOfParts(const std::vector<sim::TraceRequest> &requests,
              const image::Program &program) {
  std::set<std::string> names;
  for (const image::Population &population : program.populations())
    names.insert(population.name());
  std::vector<sim::TraceRequest> all;
  for (const sim::TraceRequest &request : requests) {
    std::string part = request.population + ".0";
    if (names.count(request.population) || !names.count(part)) {
      all.push_back(request);
      continue;
    }
    for (unsigned i = 1; names.count(part); ++i) {
      all.push_back({part, request.state});
      part = fmt::format("{}.{}", request.population, i);
    }
  }
  return all;
}

/// Ticks between two words of progress.
static constexpr uint64_t kReportEvery = 64;

Recording
runInterpreter(dend::NetworkOp network, const dend::Bindings &bindings,
               const std::map<std::string, Samples> &inputs,
               const std::vector<sim::TraceRequest> &requested,
               const std::function<void(uint64_t, uint64_t)> &progress,
               bool spikes, const sim::OutputStore &store) {
  std::vector<sim::TraceSource> traces;
  const std::vector<sim::Traceable> traceables = traceablesOf(network);
  for (const sim::TraceRequest &request : requested)
    traces.push_back(sim::resolveTrace(request, traceables));
  DiagnosticsAsError errors(network.getContext());
  auto created = dend::Interpreter::create(network, bindings);
  errors.check(created, "the network cannot be interpreted");
  dend::Interpreter &interpreter = **created;
  Recording recording;
  InputFeeder feeder(interpreter, inputs);
  recording.samples = feeder.samples;
  recording.ticks = feeder.ticks;
  for (const dend::OutputInfo &output : interpreter.outputs()) {
    sim::OutputData data;
    data.name = output.name;
    data.kind = output.probe ? image::Output::STATE : image::Output::SPIKES;
    data.ticks = static_cast<uint64_t>(output.ticks);
    data.shape.assign(output.shape.begin(), output.shape.end());
    data.integer = output.integer && !output.probe;
    recording.outputs.push_back(std::move(data));
  }
  const uint64_t allTicks = feeder.samples * feeder.ticks;
  std::vector<OutputTicks> ends;
  for (sim::OutputData &data : recording.outputs)
    ends.emplace_back(data, numbersOfOutput(network, data.name), allTicks);
  std::vector<Array> traced(traces.size());
  uint64_t reserved = 0; // values of traces
  std::vector<Emitter> emitters;
  if (spikes)
    emitters = findEmitters(network);
  recording.spikes.resize(spikes ? feeder.samples : 0);
  for (uint64_t sample = 0; sample < feeder.samples; ++sample) {
    interpreter.reset();
    for (uint64_t tick = 0; tick < feeder.ticks; ++tick) {
      try {
        interpreter.tick(feeder.at(sample, tick));
      } catch (const std::invalid_argument &error) {
        throw Error(fmt::format(
            "sample {}, tick {}: {}; encode the input as events first, or "
            "choose a target with graded spikes and give --calibrate",
            sample, tick, error.what()));
      }
      for (size_t o = 0; o < ends.size(); ++o)
        ends[o].append(interpreter.output(recording.outputs[o].name), store);
      for (size_t i = 0; i < traces.size(); ++i) {
        const std::string &population = requested[i].population;
        const dend::Signal signal =
            traces[i].emitted ? interpreter.emission(population, traces[i].name)
                              : interpreter.state(population, traces[i].name);
        if (sample == 0 && tick == 0)
          sim::reserveValues(reserved, feeder.samples, feeder.ticks,
                             std::max(signal.real.size(), signal.raw.size()),
                             sim::textOf(requested[i]));
        append(traced[i], signal, allTicks);
      }
      for (const Emitter &emitter : emitters)
        append(recording.spikes[sample], emitter,
               interpreter.emission(emitter.name), tick);
      if (const uint64_t done = sample * feeder.ticks + tick + 1;
          done % kReportEvery == 0 || done == allTicks)
        progress(done, allTicks);
    }
  }
  for (size_t i = 0; i < traces.size(); ++i) {
    uint64_t ticks =
        feeder.ticks *
        static_cast<uint64_t>(interpreter.ticks(requested[i].population));
    uint64_t size = std::max(traced[i].real.size(), traced[i].ints.size()) /
                    (feeder.samples * ticks);
    traced[i].shape = {feeder.samples, ticks, size};
    const std::vector<int64_t> numbers =
        numbersOf(network, requested[i].population);
    renumber(traced[i].real, numbers, feeder.samples * ticks);
    renumber(traced[i].ints, numbers, feeder.samples * ticks);
    recording.traces[sim::textOf(requested[i])] = std::move(traced[i]);
  }
  return recording;
}

Recording recordingOf(sim::RunResult &&result) {
  Recording recording;
  recording.samples = result.samples;
  recording.ticks = result.ticks;
  recording.outputs = std::move(result.outputs);
  recording.spikes = std::move(result.spikes);
  for (sim::TraceData &trace : result.traces)
    recording.traces[trace.name] =
        Array::ofInts({result.samples, result.ticks * trace.ticks, trace.size},
                      std::move(trace.values));
  return recording;
}

std::vector<std::pair<std::string, Content>>
recordingFiles(const Recording &recording, bool single) {
  auto withAxes = [&](ArrayView array) {
    if (single)
      array.shape.erase(array.shape.begin());
    return array;
  };
  auto archive = [](std::map<std::string, ArrayView> arrays) {
    return [arrays = std::move(arrays)](const ByteSink &sink) {
      writeNpz(arrays, sink);
    };
  };
  std::map<std::string, ArrayView> outputs, traces;
  for (const sim::OutputData &output : recording.outputs) {
    std::vector<uint64_t> shape{recording.samples,
                                recording.ticks * output.ticks};
    shape.insert(shape.end(), output.shape.begin(), output.shape.end());
    ArrayView view(std::move(shape), output.values,
                   output.integer ? "<i4" : "<f8");
    view.file = output.file.get();
    outputs.emplace(output.name, withAxes(std::move(view)));
  }
  for (const auto &[name, array] : recording.traces)
    traces.emplace(name, withAxes(array));
  std::vector<std::pair<std::string, Content>> files;
  if (!recording.spikes.empty())
    files.emplace_back("spikes.npz", [&](const ByteSink &sink) {
      sink(formatSpikes(recording.spikes));
    });
  if (outputs.size() == 1)
    files.emplace_back("outputs.npy",
                       [array = outputs.begin()->second](const ByteSink &sink) {
                         writeNpy(array, sink);
                       });
  else if (!outputs.empty())
    files.emplace_back("outputs.npz", archive(std::move(outputs)));
  if (!traces.empty())
    files.emplace_back("traces.npz", archive(std::move(traces)));
  return files;
}

} // namespace neurite::session
