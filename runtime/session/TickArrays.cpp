// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/TickArrays.h"

#include "dialects/dend/Constants.h"
#include "simulator/record/Traces.h"

#include <algorithm>
#include <map>

namespace dendrolith::session {
namespace {

/// Values that go to a file together.
constexpr size_t kBlock = 1 << 12;

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

/// Brings `size` values of a whole population, tick by tick and neuron by
/// neuron, into the order of the numbers.
template <typename T>
void renumber(T *values, size_t size, const std::vector<int64_t> &numbers,
              size_t ticks) {
  if (numbers.empty() || size == 0)
    return;
  const size_t width = size / ticks, each = width / numbers.size();
  std::vector<T> before(width);
  for (T *tick = values; tick != values + size; tick += width) {
    std::copy_n(tick, width, before.begin());
    for (size_t i = 0; i < width; ++i)
      tick[size_t(numbers[i / each]) * each + i % each] = before[i];
  }
}

} // namespace

template <typename T>
void TickAppender::append(const std::vector<T> &values, uint64_t ownTicks,
                          std::vector<T> &to, ValueFile *file) {
  ++next;
  if (to.empty()) // arrays that grow take twice their memory
    to.reserve(file ? kBlock + values.size() : values.size() * ticks);
  to.insert(to.end(), values.begin(), values.end());
  renumber(to.data() + to.size() - values.size(), values.size(), numbers,
           ownTicks);
  if (file && (next == ticks || to.size() >= kBlock)) {
    file->put(written, to.data(), to.size());
    written += to.size();
    to.clear();
  }
}

TraceTicks::TraceTicks(dend::NetworkOp network,
                       const sim::TraceRequest &request, uint64_t ticks)
    : request(request),
      appender(numbersOf(network, request.population), ticks) {}

sim::TraceData TraceTicks::describe(const dend::Signal &signal) const {
  sim::TraceData trace;
  trace.name = sim::textOf(request);
  trace.population = request.population;
  trace.state = request.state;
  trace.ticks = uint64_t(signal.ticks);
  trace.size = std::max(signal.real.size(), signal.raw.size()) / trace.ticks;
  trace.wide = signal.bits > 32;
  trace.real = signal.isReal;
  return trace;
}

void TraceTicks::append(const dend::Signal &signal) {
  array.kind =
      signal.isReal ? Array::NumberKind::Float : Array::NumberKind::Int;
  array.dtype = signal.isReal ? "<f8" : sim::typeOfTrace(signal.bits > 32);
  const auto ownTicks = uint64_t(signal.ticks);
  if (signal.isReal)
    appender.append(signal.real, ownTicks, array.real, file.get());
  else
    appender.append(signal.raw, ownTicks, array.ints, file.get());
}

OutputTicks::OutputTicks(sim::OutputData &data, dend::NetworkOp network,
                         uint64_t ticks)
    : data(data), ticks(ticks),
      appender(numbersOfOutput(network, data.name), ticks) {}

void OutputTicks::append(const std::vector<double> &values,
                         const sim::OutputStore &store) {
  if (isFirst && store)
    data.file = store(data, values.size() * ticks);
  isFirst = false;
  appender.append(values, data.ticks, data.file ? block : data.values,
                  data.file.get());
}

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

void append(sim::SpikeList &spikes, const Emitter &emitter,
            const dend::Signal &signal, uint64_t rootTick) {
  size_t size = signal.isReal ? signal.real.size() : signal.raw.size();
  size_t width = size / std::max<size_t>(size_t(signal.ticks), 1);
  std::vector<sim::SpikeEvent> events;
  for (size_t i = 0; i < size; ++i) {
    if (signal.isReal ? signal.real[i] == 0 : signal.raw[i] == 0)
      continue;
    uint64_t tick = rootTick * uint64_t(signal.ticks) + i / width;
    uint64_t neuron = i % width;
    if (!emitter.numbers.empty())
      neuron = uint64_t(emitter.numbers[neuron]);
    events.push_back({uint32_t(tick), emitter.population, uint32_t(neuron), 1});
  }
  std::sort(events.begin(), events.end());
  for (const sim::SpikeEvent &event : events)
    spikes.add(event);
}

} // namespace dendrolith::session
