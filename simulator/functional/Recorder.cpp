// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/Recorder.h"

#include "targets/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace neurite::sim {

/// samples * ticks * width, refused together when beyond 2^31.
static uint64_t reserve(uint64_t &used, uint64_t samples, uint64_t ticks,
                        uint64_t width, const std::string &name) {
  const unsigned __int128 most = uint64_t(1) << 31;
  unsigned __int128 size =
      static_cast<unsigned __int128>(samples) * ticks * width;
  if (size + used > most)
    throw Error(fmt::format("'{}': expected outputs and traces of at most 2^31 "
                            "values together, found {} samples x {} ticks x "
                            "{}; run fewer samples or trace fewer nodes",
                            name, samples, ticks, width));
  used += static_cast<uint64_t>(size);
  return static_cast<uint64_t>(size);
}

Recorder::Recorder(const Machine &machine,
                   const std::vector<TraceRequest> &requests, uint64_t samples,
                   uint64_t ticks)
    : machine(machine), ticks(ticks), tracesOf(machine.populations().size()) {
  uint64_t used = 0;
  for (const Machine::Output &output : machine.outputs()) {
    uint64_t size = machine.populations()[output.population].size;
    bool spikes = output.kind == image::Output::SPIKES;
    outputs.push_back({output.name, output.kind, output.shape, {}, spikes});
    outputs.back().values.resize(
        reserve(used, samples, ticks, size, output.name));
  }
  for (const TraceRequest &request : requests) {
    const auto &all = machine.populations();
    auto found = std::find_if(all.begin(), all.end(), [&](const auto &p) {
      return p.name == request.population;
    });
    if (found == all.end()) {
      std::string known;
      for (const Machine::Population &p : all)
        known += (known.empty() ? "'" : ", '") + p.name + "'";
      throw Error(fmt::format("trace '{}': expected one of {}",
                              request.population, known));
    }
    if (!request.state.empty() && request.state != "u" && request.state != "v")
      throw Error(fmt::format("trace '{}:{}': expected state 'u' or 'v', or "
                              "no state for the emitted values",
                              request.population, request.state));
    TraceData trace;
    trace.population = request.population;
    trace.state = request.state;
    trace.name =
        request.population + (request.state.empty() ? "" : ":" + request.state);
    trace.size = found->size;
    trace.values.resize(reserve(used, samples, ticks, trace.size, trace.name));
    tracesOf[found - all.begin()].push_back(
        static_cast<uint32_t>(traces.size()));
    traces.push_back(std::move(trace));
  }
}

void Recorder::record(uint64_t sample, uint32_t groupIndex, uint64_t tick,
                      const State &state, const GroupUpdate &update) {
  const Machine::Group &group = machine.groups()[groupIndex];
  const Machine::Population &population =
      machine.populations()[group.population];
  const uint64_t start =
      (sample * ticks + tick) * population.size + group.firstNeuron;
  for (const HostMessage &message : update.hostMessages) {
    OutputData &output = outputs[message.output];
    double unit =
        output.integer || population.scale == 0 ? 1 : population.scale;
    output.values[start + message.neuron] =
        static_cast<double>(message.value) / unit;
  }
  for (uint32_t t : tracesOf[group.population]) {
    int64_t *values = traces[t].values.data() + start;
    if (traces[t].state.empty()) {
      for (const Emission &emission : update.emissions)
        values[emission.neuron] = emission.value;
      continue;
    }
    const std::vector<int32_t> &words =
        traces[t].state == "u" ? state.u : state.v;
    std::copy_n(words.begin() + group.position, group.count, values);
  }
}

} // namespace neurite::sim
