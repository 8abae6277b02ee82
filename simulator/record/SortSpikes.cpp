// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/SortSpikes.h"

#include "runtime/host/Workers.h"

#include <algorithm>
#include <utility>

namespace dendrolith::sim {
namespace {

/// Below this, threads take longer to start than they save.
constexpr size_t kWorthThreads = 1 << 16;

/// Where the events of each tick end once they lie tick by tick.
std::vector<size_t> endsOfTicks(const KeptSpikes *lists, size_t count) {
  std::vector<size_t> ends;
  for (size_t i = 0; i < count; ++i)
    for (const SpikeList::Run &run : lists[i].spikes.runs()) {
      if (run.tick >= ends.size())
        ends.resize(size_t(run.tick) + 1);
      ends[run.tick] += run.count;
    }
  for (size_t tick = 1; tick < ends.size(); ++tick)
    ends[tick] += ends[tick - 1];
  return ends;
}

/// The lists, emptied, as one in order of ticks alone.
std::vector<SpikeEvent> byTick(KeptSpikes *lists, size_t count,
                               const std::vector<size_t> &ends) {
  std::vector<SpikeEvent> all(ends.empty() ? 0 : ends.back());
  std::vector<size_t> next = {0}; // of each tick
  next.insert(next.end(), ends.begin(), ends.end());
  for (size_t i = 0; i < count; ++i) {
    lists[i].spikes.each(
        [&](const SpikeEvent &event) { all[next[event.tick]++] = event; });
    lists[i].spikes = {};
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

/// What sorting a tick needs besides; each thread has its own.
struct Buckets {
  std::vector<uint32_t> begins;
  std::vector<SpikeEvent> events;
};

/// Numbers of neurons are spread evenly, mostly, so that about as many buckets
/// as spikes bring each spike to its place or next to it.
void sortTick(SpikeEvent *begin, SpikeEvent *end, Buckets &buckets) {
  constexpr ptrdiff_t kFew = 64;
  if (std::is_sorted(begin, end, Before()))
    return;
  if (end - begin < kFew)
    return std::sort(begin, end, Before());
  const auto count = uint64_t(end - begin);
  uint64_t largest = 0;
  for (const SpikeEvent *each = begin; each != end; ++each)
    largest = std::max(largest, Before::key(*each));
  unsigned shift = 0;
  while (largest >> shift >= count)
    ++shift;
  auto &[begins, events] = buckets;
  begins.assign(count + 1, 0);
  for (const SpikeEvent *each = begin; each != end; ++each)
    ++begins[(Before::key(*each) >> shift) + 1];
  for (uint64_t b = 0; b < count; ++b)
    begins[b + 1] += begins[b];
  events.assign(begin, end);
  for (const SpikeEvent &each : events)
    begin[begins[Before::key(each) >> shift]++] = each;
  // Each begin is the end of its bucket now.
  for (uint64_t b = 0, from = 0; b < count; from = begins[b++])
    if (begins[b] - from > 1)
      std::sort(begin + from, begin + begins[b], Before());
}

/// Sorts a tick at a time.
SpikeList sortTicks(KeptSpikes *lists, size_t count) {
  const std::vector<size_t> ends = endsOfTicks(lists, count);
  std::vector<SpikeEvent> all = byTick(lists, count, ends);
  const unsigned threads =
      all.size() < kWorthThreads ? 1 : static_cast<unsigned>(count);
  // Some pieces for each, as ticks may have more spikes or fewer.
  const size_t pieces = std::min<size_t>(ends.size(), threads * size_t(8));
  inParallel(pieces, threads, [&](size_t piece) {
    Buckets buckets;
    for (size_t tick = piece * ends.size() / pieces,
                last = (piece + 1) * ends.size() / pieces;
         tick < last; ++tick)
      sortTick(all.data() + (tick == 0 ? 0 : ends[tick - 1]),
               all.data() + ends[tick], buckets);
  });
  SpikeList list;
  for (const SpikeEvent &event : all)
    list.add(event);
  return list;
}

} // namespace

SpikeList sortSpikes(KeptSpikes *lists, size_t count) {
  if (count == 1 && lists[0].spikes.isRising())
    return std::exchange(lists[0].spikes, {});
  if (canMerge(lists, count))
    return mergeSpikes(lists, count);
  return sortTicks(lists, count);
}

} // namespace dendrolith::sim
