// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/SortSpikes.h"

#include "runtime/host/Parallel.h"

#include <algorithm>
#include <utility>

namespace neurite::sim {
namespace {

/// Below this, threads take longer to start than they save.
constexpr size_t kWorthThreads = 1 << 16;

bool inOrderOfTicks(const std::vector<SpikeEvent> &events) {
  return std::is_sorted(
      events.begin(), events.end(),
      [](const SpikeEvent &a, const SpikeEvent &b) { return a.tick < b.tick; });
}

/// Where the events of each tick end once they lie tick by tick.
std::vector<size_t> endsOfTicks(const KeptSpikes *lists, size_t count) {
  std::vector<size_t> ends;
  for (size_t i = 0; i < count; ++i)
    for (const SpikeEvent &event : lists[i].events) {
      if (event.tick >= ends.size())
        ends.resize(size_t(event.tick) + 1);
      ++ends[event.tick];
    }
  for (size_t tick = 1; tick < ends.size(); ++tick)
    ends[tick] += ends[tick - 1];
  return ends;
}

/// The lists, emptied, as one in order of ticks alone.
std::vector<SpikeEvent> byTick(KeptSpikes *lists, size_t count,
                               const std::vector<size_t> &ends) {
  if (count == 1 && inOrderOfTicks(lists[0].events))
    return std::exchange(lists[0].events, {});
  std::vector<SpikeEvent> all(ends.empty() ? 0 : ends.back());
  std::vector<size_t> next = {0}; // of each tick
  next.insert(next.end(), ends.begin(), ends.end());
  for (size_t i = 0; i < count; ++i) {
    for (const SpikeEvent &event : lists[i].events)
      all[next[event.tick]++] = event;
    lists[i].events = {};
  }
  return all;
}

/// The order of events of one tick; operator< of those of all. A type, so that
/// sorting has it inline.
struct Before {
  static uint64_t key(const SpikeEvent &event) {
    return uint64_t(event.population) << 32 | event.neuron;
  }
  bool operator()(const SpikeEvent &a, const SpikeEvent &b) const {
    return key(a) != key(b) ? key(a) < key(b) : a.value < b.value;
  }
};

} // namespace

std::vector<SpikeEvent> sortSpikes(KeptSpikes *lists, size_t count) {
  const std::vector<size_t> ends = endsOfTicks(lists, count);
  std::vector<SpikeEvent> all = byTick(lists, count, ends);
  const unsigned threads =
      all.size() < kWorthThreads ? 1 : static_cast<unsigned>(count);
  // Some pieces for each, as ticks may have more spikes or fewer.
  const size_t pieces = std::min<size_t>(ends.size(), threads * size_t(8));
  inParallel(pieces, threads, [&](size_t piece) {
    for (size_t tick = piece * ends.size() / pieces,
                last = (piece + 1) * ends.size() / pieces;
         tick < last; ++tick)
      std::sort(all.begin() + ptrdiff_t(tick == 0 ? 0 : ends[tick - 1]),
                all.begin() + ptrdiff_t(ends[tick]), Before());
  });
  return all;
}

} // namespace neurite::sim
