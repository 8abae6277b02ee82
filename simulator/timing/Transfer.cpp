// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/Transfer.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <type_traits>

namespace neurite::sim {
namespace {

/// More bytes than this do not come from a worker of ours: traces of the
/// longest runs take up to 16 GiB.
constexpr uint64_t kMaxResult = uint64_t(1) << 36;

class Writer {
public:
  static constexpr bool reads = false;

  explicit Writer(const ByteSink &sink) : sink(sink) {}

  template <typename T> void plain(const T &value) {
    sink({reinterpret_cast<const char *>(&value), sizeof value});
  }
  /// Writes the number of elements that follow.
  template <typename Container> void size(const Container &container) {
    plain(uint64_t(container.size()));
  }
  template <typename T> void block(const std::vector<T> &values) {
    size(values);
    sink({reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(T)});
  }
  void block(const std::string &text) {
    size(text);
    sink(text);
  }

private:
  const ByteSink &sink;
};

class Reader {
public:
  static constexpr bool reads = true;

  /// Reads at most `left` bytes.
  Reader(const ByteSource &source, uint64_t left)
      : source(source), left(left) {}

  template <typename T> void plain(T &value) {
    take(reinterpret_cast<char *>(&value), sizeof value);
  }
  template <typename T> void size(std::vector<T> &container) {
    container.resize(count(1));
  }
  template <typename T> void block(std::vector<T> &values) {
    values.resize(count(sizeof(T)));
    take(reinterpret_cast<char *>(values.data()), values.size() * sizeof(T));
  }
  void block(std::string &text) {
    text.resize(count(1));
    take(text.data(), text.size());
  }
  /// Reads a count of elements that take at least `each` bytes, and refuses one
  /// that the rest of the bytes cannot hold.
  uint64_t count(uint64_t each) {
    uint64_t n = 0;
    plain(n);
    if (n > left / each)
      fail();
    return n;
  }
  bool atEnd() const { return left == 0; }
  [[noreturn]] static void fail() {
    throw Error("cycle engine: the worker process sent an incomplete result");
  }

private:
  void take(char *to, size_t size) {
    if (size > left)
      fail();
    left -= size;
    while (size > 0) {
      const size_t got = source(to, size);
      if (got == 0)
        fail();
      to += got;
      size -= got;
    }
  }

  const ByteSource &source;
  uint64_t left;
};

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

// The functions below describe the layout once for both directions. The writer
// does not change what it visits.
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
  for (std::vector<SpikeEvent> &events : result.spikes)
    s.block(events);
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
  s.block(result.timeline.events);
  s.plain(result.timeline.steps);
  s.plain(result.timeline.endPs);
  s.plain(result.timeline.stopped);
  s.plain(result.timeline.overlapping);
}

// These types cross as they lie in memory.
static_assert(std::is_trivially_copyable_v<CoreCounts> &&
              std::is_trivially_copyable_v<LinkCount> &&
              std::is_trivially_copyable_v<FlowCounts> &&
              std::is_trivially_copyable_v<SpikeEvent> &&
              std::is_trivially_copyable_v<StepTime> &&
              std::is_trivially_copyable_v<CoreActivity> &&
              std::is_trivially_copyable_v<LinkActivity> &&
              std::is_trivially_copyable_v<TimelineEvent>);

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

} // namespace neurite::sim
