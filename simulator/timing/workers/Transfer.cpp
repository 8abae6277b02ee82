// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/workers/Transfer.h"

#include "runtime/host/Wire.h"

#include <algorithm>

namespace dendrolith::sim {
namespace {

template <typename Stream, typename Key, typename Value, typename Each>
void visitMap(Stream &stream, std::map<Key, Value> &map, Each each) {
  if constexpr (Stream::reads) {
    for (uint64_t n = stream.count(1); n > 0; --n) {
      Key key{};
      Value value{};
      each(key, value);
      map[key] = value;
    }
  } else {
    stream.size(map);
    for (auto &[key, value] : map)
      each(key, value);
  }
}

template <typename Stream> void visit(Stream &s, OutputData &output) {
  s.block(output.name);
  s.plain(output.kind);
  s.block(output.shape);
  s.plain(output.ticks);
  s.block(output.values);
  s.plain(output.integer);
}

template <typename Stream> void visit(Stream &s, TraceData &trace) {
  s.block(trace.name);
  s.block(trace.population);
  s.block(trace.state);
  s.plain(trace.size);
  s.plain(trace.ticks);
  s.plain(trace.wide);
  s.block(trace.values);
}

template <typename Stream> void visit(Stream &s, Counts &counts) {
  s.plain(counts.chip);
  s.plain(counts.host);
  visitMap(s, counts.cores, [&](auto &core, auto &values) {
    s.plain(core);
    s.plain(values);
  });
  s.plain(counts.tiles);
  s.plain(counts.chips);
  s.block(counts.links);
}

template <typename Stream> void visit(Stream &s, Attribution &attribution) {
  s.plain(attribution.chip);
  s.size(attribution.layers);
  for (LayerCounts &layer : attribution.layers) {
    s.block(layer.name);
    s.plain(layer.isInput);
    s.plain(layer.neurons);
    s.plain(layer.counts);
  }
  s.block(attribution.flows);
}

template <typename Stream> void visit(Stream &s, Saturations &saturations) {
  s.plain(saturations.inputs);
  for (auto *map :
       {&saturations.wrapped, &saturations.clipped, &saturations.ended})
    visitMap(s, *map, [&](auto &name, auto &count) {
      // A key of the writer's map is constant, which block() knows.
      s.block(name);
      s.plain(count);
    });
  visitMap(s, saturations.peaks, [&](auto &population, auto &states) {
    s.block(population);
    visitMap(s, states, [&](auto &name, auto &peak) {
      s.block(name);
      s.plain(peak);
    });
  });
}

template <typename Stream> void visit(Stream &s, NeuroBench &metrics) {
  s.plain(metrics.footprint);
  s.plain(metrics.parameterCount);
  // An optional does not cross as it lies in memory: without a value its bytes
  // are anything.
  for (auto *sparsity :
       {&metrics.connectionSparsity, &metrics.activationSparsity}) {
    bool has = sparsity->has_value();
    double value = sparsity->value_or(0);
    s.plain(has);
    s.plain(value);
    if (has)
      *sparsity = value;
  }
  for (double *value : {&metrics.dense, &metrics.effectiveMacs,
                        &metrics.effectiveAcs, &metrics.membraneUpdates})
    s.plain(*value);
}

template <typename Stream> void visit(Stream &s, Timeline &timeline) {
  s.plain(timeline.asked);
  s.block(timeline.tiles);
  s.size(timeline.steps);
  for (TimelineStep &step : timeline.steps) {
    for (uint64_t *count :
         {&step.sample, &step.step, &step.start, &step.end, &step.spikes,
          &step.values, &step.inputs, &step.cores, &step.shown})
      s.plain(*count);
    s.block(step.slices);
    s.block(step.flows);
    s.block(step.queues);
    s.block(step.links);
  }
}

template <typename Stream> void visit(Stream &s, RunResult &result) {
  s.plain(result.samples);
  s.plain(result.ticks);
  s.plain(result.steps);
  s.size(result.outputs);
  for (OutputData &output : result.outputs)
    visit(s, output);
  s.size(result.traces);
  for (TraceData &trace : result.traces)
    visit(s, trace);
  s.size(result.spikes);
  for (SpikeList &spikes : result.spikes)
    spikes.visit(s);
  visit(s, result.counts);
  visit(s, result.attribution);
  s.block(result.sampleCounts);
  visit(s, result.saturations);
  s.size(result.spikeValues);
  for (SpikeValues &values : result.spikeValues) {
    s.block(values.name);
    s.plain(values.low);
    s.block(values.counts);
  }
  visit(s, result.neuroBench);
  s.size(result.warnings);
  for (Warning &warning : result.warnings)
    for (std::string *text : {&warning.code, &warning.where, &warning.text})
      s.block(*text);
  s.plain(result.timePs);
  s.block(result.sampleLatencyPs);
  s.size(result.stepTimes);
  for (std::vector<StepTime> &times : result.stepTimes)
    s.block(times);
  s.block(result.coreActivity);
  s.block(result.linkActivity);
  visit(s, result.timeline);
}

} // namespace

// The number of bytes stands in front of them.
void send(const RunResult &result, const ByteSink &sink) {
  uint64_t size = 0;
  const ByteSink count = [&](std::string_view bytes) { size += bytes.size(); };
  Writer counter(count), writer(sink);
  visit(counter, const_cast<RunResult &>(result));
  writer.plain(size);
  visit(writer, const_cast<RunResult &>(result));
}

RunResult receive(const ByteSource &source) {
  uint64_t size = 0;
  Reader(source, sizeof size).plain(size);
  if (size > kMaxResult)
    Reader::fail();
  Reader reader(source, size);
  RunResult result;
  visit(reader, result);
  char more;
  if (!reader.atEnd() || source(&more, 1) != 0)
    Reader::fail();
  return result;
}

std::string toBytes(const RunResult &result) {
  return bytesOf([&](const ByteSink &sink) { send(result, sink); });
}

RunResult fromBytes(const std::string &bytes) {
  size_t at = 0;
  return receive([&](char *into, size_t room) {
    const size_t count = std::min(room, bytes.size() - at);
    bytes.copy(into, count, at);
    at += count;
    return count;
  });
}

} // namespace dendrolith::sim
