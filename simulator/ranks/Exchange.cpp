// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/ranks/Exchange.h"

#include "runtime/host/Wire.h"
#include "simulator/ranks/Bytes.h"

namespace dendrolith::sim {

Exchange::Exchange(Ranks &ranks, const Machine &machine, const Traffic &own,
                   bool all)
    : ranks(ranks), to(ranks.size()), spikes(ranks.size()),
      values(ranks.size()) {
  std::string mine((machine.sources() + 7) / 8, 0);
  std::vector<size_t> kinds;
  for (uint32_t source = 0; source < machine.sources(); ++source) {
    if (!all)
      own.kindsOf(source, kinds);
    if (all || !kinds.empty())
      mine[source / 8] = static_cast<char>(mine[source / 8] | 1 << source % 8);
  }
  for (unsigned r = 0; r < ranks.size(); ++r)
    to[r] = mine;
  ranks.begin(to);
  ranks.end(wanted);
}

void Exchange::begin(const std::vector<Injection> &emitted) {
  for (unsigned r = 0; r < ranks.size(); ++r) {
    spikes[r].clear();
    values[r].clear();
    to[r].clear();
    if (r == ranks.rank())
      continue;
    for (const Injection &each : emitted)
      if (!wants(r, each.source))
        continue;
      else if (each.payload == 1)
        spikes[r].push_back(each.source);
      else
        values[r].push_back(each);
    if (spikes[r].empty() && values[r].empty())
      continue;
    writeTo(to[r], [&](Writer &writer) {
      writer.block(spikes[r]);
      writer.block(values[r]);
    });
  }
  ranks.begin(to);
}

const std::vector<Injection> &Exchange::end() {
  ranks.end(from);
  heard.clear();
  std::vector<uint32_t> sources;
  std::vector<Injection> others;
  for (const std::string &bytes : from) {
    if (bytes.empty())
      continue;
    readFrom(bytes, [&](Reader &reader) {
      reader.block(sources);
      reader.block(others);
    });
    for (uint32_t source : sources)
      heard.push_back({source, 1});
    heard.insert(heard.end(), others.begin(), others.end());
  }
  return heard;
}

namespace {

/// A third kind of stream beside Writer and Reader: what it reads is added to
/// what is there.
class Adder {
public:
  static constexpr bool reads = true;

  explicit Adder(Reader &reader) : reader(reader) {}

  template <typename T> void plain(T &value) { reader.plain(value); }
  template <typename T> void items(T *values, size_t count) {
    std::vector<T> piece;
    for (size_t at = 0; at < count; at += piece.size()) {
      piece.resize(std::min<size_t>(count - at, 1 << 16));
      reader.items(piece.data(), piece.size());
      for (size_t i = 0; i < piece.size(); ++i)
        values[at + i] += piece[i];
    }
  }
  template <typename T> void block(std::vector<T> &values) {
    std::vector<T> more;
    reader.block(more);
    values.insert(values.end(), more.begin(), more.end());
  }

private:
  Reader &reader;
};

} // namespace

void gather(Ranks &ranks, const Machine &machine, EventCounter &events) {
  if (!ranks.first()) {
    sendInPieces(ranks, [&](Writer &writer) { events.visit(writer); });
    events.clear();
    return;
  }
  EventCounter others(machine);
  for (unsigned r = 1; r < ranks.size(); ++r) {
    receivePieces(ranks, r, [&](Reader &reader) { others.visit(reader); });
    events.merge(others);
  }
}

void gather(Ranks &ranks, Recorder &recorder, uint64_t samples) {
  for (uint64_t sample = 0; sample < samples; ++sample) {
    if (!ranks.first()) {
      sendInPieces(ranks,
                   [&](Writer &writer) { recorder.visit(writer, sample); });
      continue;
    }
    for (unsigned r = 1; r < ranks.size(); ++r)
      receivePieces(ranks, r, [&](Reader &reader) {
        Adder adder(reader);
        recorder.visit(adder, sample);
      });
  }
}

} // namespace dendrolith::sim
