// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/Recorder.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace dendrolith::sim {

__extension__ using WideSize = unsigned __int128;

static uint64_t memoryOfMachine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? uint64_t(pages) * uint64_t(bytes)
                                : UINT64_MAX;
}

uint64_t reserveValues(uint64_t &used, uint64_t samples, uint64_t ticks,
                       uint64_t width, const std::string &name) {
  const uint64_t memory = memoryOfMachine(),
                 most =
                     std::min(uint64_t(1) << 31, memory / 2 / sizeof(double));
  const WideSize size = WideSize(samples) * ticks * width;
  if (size + used > most)
    throw Error(fmt::format(
        "'{}': expected outputs and traces of at most {} values together ({} "
        "GB), found {} samples x {} ticks x {}, which with what else is "
        "recorded take {:.3g} GB; run fewer samples or ticks, or trace fewer "
        "nodes",
        name, most, double(most * sizeof(double) / 100000000) / 10, samples,
        ticks, width, double(size + used) * sizeof(double) / 1e9));
  used += static_cast<uint64_t>(size);
  return static_cast<uint64_t>(size);
}

template <typename Data, typename Window>
void Recorder::openFile(const Data &of, std::optional<Window> &into,
                        uint64_t width) {
  if (!of.file)
    return;
  into.emplace(of.file, samples, ticks, width,
               machine.depth() / machine.period() + 2);
  hasFiles = true;
}

Recorder::Recorder(const Machine &machine,
                   const std::vector<TraceRequest> &requests, uint64_t samples,
                   uint64_t ticks, bool keepSpikes, const Stores &stores,
                   size_t shares)
    : machine(machine), shares(shares),
      spikesOf(keepSpikes ? samples * shares : 0), samples(samples),
      ticks(ticks), tracesOf(machine.groups().size()) {
  std::vector<uint64_t> widths, traceWidths; // values of a root tick
  for (const Machine::Output &output : machine.outputs()) {
    const Machine::Population &of = machine.populations()[output.population];
    OutputData data;
    data.name = output.name;
    data.kind = output.kind;
    data.shape = output.shape;
    data.ticks = of.ticks;
    data.integer = output.kind == image::Output::SPIKES;
    widths.push_back(of.ticks * of.size * output.elements);
    if (stores.outputs)
      data.file = stores.outputs(data, samples * ticks * widths.back());
    outputs.push_back(std::move(data));
  }
  std::vector<Traceable> populations;
  for (const Machine::Population &population : machine.populations())
    populations.push_back(traceableOf(machine, population));
  for (const TraceRequest &request : requests) {
    const TraceSource source = resolveTrace(request, populations);
    const Machine::Population &found = machine.populations()[source.population];
    TraceData trace;
    trace.population = request.population;
    trace.state = request.state;
    trace.name = textOf(request);
    trace.size = found.size * show(source, found);
    trace.wide = isWide(source, found);
    trace.ticks = found.ticks;
    traceWidths.push_back(trace.ticks * trace.size);
    traces.push_back(std::move(trace));
  }
  if (stores.traces)
    stores.traces(traces, samples, ticks);
  outputWindows.resize(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i)
    openFile(outputs[i], outputWindows[i], widths[i]);
  traceWindows.resize(traces.size());
  wideWindows.resize(traces.size());
  for (size_t i = 0; i < traces.size(); ++i)
    if (traces[i].wide)
      openFile(traces[i], wideWindows[i], traceWidths[i]);
    else
      openFile(traces[i], traceWindows[i], traceWidths[i]);
  makeRoom();
}

void Recorder::makeRoom() {
  uint64_t used = 0;
  std::vector<uint64_t> sizes; // of outputs, then of traces
  for (size_t o = 0; o < outputs.size(); ++o) {
    const OutputData &data = outputs[o];
    const Machine::Output &of = machine.outputs()[o];
    sizes.push_back(
        data.file ? 0
                  : reserveValues(used, samples, ticks * data.ticks,
                                  machine.populations()[of.population].size *
                                      of.elements,
                                  data.name));
  }
  for (const TraceData &data : traces)
    sizes.push_back(data.file ? 0
                              : reserveValues(used, samples, ticks * data.ticks,
                                              data.size, data.name));
  // Only now, as there is room for all of them.
  auto size = sizes.begin();
  for (OutputData &data : outputs)
    data.values.resize(*size++);
  for (TraceData &data : traces)
    data.values.resize(*size++);
}

void Recorder::record(uint64_t sample, uint32_t groupIndex, uint64_t tick,
                      const State &state, const GroupUpdate &update, bool more,
                      size_t share) {
  const Machine::Group &group = machine.groups()[groupIndex];
  const Machine::Population &population =
      machine.populations()[group.population];
  if (repeats)
    clearStates(sample, group, tick);
  for (const HostMessage &message : update.hostMessages) {
    const Machine::Output &shown = machine.outputs()[message.output];
    double &value =
        rowOf(message.output, sample,
              tick)[population.numberOf(group.firstNeuron + message.neuron) *
                        shown.elements +
                    message.element];
    if (shown.kind == image::Output::SPIKES)
      value += static_cast<double>(message.value);
    else
      value = static_cast<double>(message.value) / shown.scale;
  }
  if (!spikesOf.empty())
    for (const Emission &emission : update.emissions)
      spikesOf[sample * shares + share].spikes.add(
          {static_cast<uint32_t>(tick), group.population,
           static_cast<uint32_t>(
               population.numberOf(group.firstNeuron + emission.neuron)),
           static_cast<int32_t>(emission.value)});
  recordTraces(sample, groupIndex, tick, state, update, more);
}

void Recorder::clearStates(uint64_t sample, const Machine::Group &group,
                           uint64_t tick) {
  const Machine::Population &population =
      machine.populations()[group.population];
  for (const Machine::OutputPart &part : group.outputs) {
    const Machine::Output &shown = machine.outputs()[part.output];
    if (shown.kind != image::Output::STATE)
      continue;
    double *row = rowOf(part.output, sample, tick);
    for (uint32_t n = 0; n < group.count; ++n)
      std::fill_n(row + population.numberOf(group.firstNeuron + n) *
                            shown.elements,
                  shown.elements, 0.0);
  }
}

void Recorder::record(uint64_t sample, const Band &band, uint64_t tick,
                      const State &state, const BandUpdate &update,
                      size_t share) {
  recordTraces(sample, band, tick, state, update);
  if (spikesOf.empty())
    return;
  const uint32_t population = machine.groups()[band.firstGroup].population;
  KeptSpikes &kept = spikesOf[sample * shares + share];
  kept.numbers.begin(band.lowest, band.end);
  for (uint32_t neuron : update.spiked)
    kept.numbers.add(band.numbers[neuron]);
  kept.numbers.take(update.spiked.size(), kept.ordered);
  kept.spikes.add(static_cast<uint32_t>(tick), population, kept.ordered.data(),
                  kept.ordered.size());
}

double *Recorder::rowOf(uint32_t output, uint64_t sample, uint64_t tick) {
  const Machine::Output &shown = machine.outputs()[output];
  const uint64_t each = outputs[output].ticks,
                 width = machine.populations()[shown.population].size *
                         shown.elements;
  if (outputWindows[output])
    return outputWindows[output]->row(sample, tick / each) +
           tick % each * width;
  return outputs[output].values.data() + (sample * ticks * each + tick) * width;
}

uint64_t Recorder::ticksOver(uint64_t steps) const {
  if (steps < machine.depth())
    return 0;
  return std::min(ticks, (steps - machine.depth()) / machine.period() + 1);
}

std::vector<SpikeList> Recorder::takeSpikes() {
  std::vector<SpikeList> sorted;
  for (uint64_t s = 0; s * shares < spikesOf.size(); ++s)
    sorted.push_back(sortSpikes(spikesOf.data() + s * shares, shares));
  return sorted;
}

} // namespace dendrolith::sim
