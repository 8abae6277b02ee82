// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/ranks/Gather.h"

#include "simulator/ranks/Bytes.h"

namespace dendrolith::sim {
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
