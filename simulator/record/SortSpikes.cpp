// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/SortSpikes.h"

#include "runtime/host/Workers.h"

#include <algorithm>
#include <tuple>
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

// Spikes of threads that have some cores each: every list is in order, and of
// one tick and population they are merged into each other.

namespace {

/// The spikes of one tick and population, in all lists.
struct Group {
  uint32_t tick = 0, population = 0;
  size_t first = 0, count = 0; // of the result
};

/// Where a list is read.
struct Cursor {
  const SpikeList *list = nullptr;
  size_t run = 0, first = 0; // the run's first spike
  bool ended() const { return run == list->runs().size(); }
  const SpikeList::Run &at() const { return list->runs()[run]; }
};

/// The neurons of a group in one list.
struct ListPart {
  const uint32_t *first = nullptr;
  size_t count = 0;
};

auto keyOf(const SpikeList::Run &run) {
  return std::make_tuple(run.tick, run.population);
}

/// Merges the parts of a group to `to`.
void merge(const ListPart *parts, size_t count, uint32_t *to,
           std::vector<uint32_t> &memory) {
  size_t done = 0;
  for (size_t p = 0; p < count; ++p) {
    if (parts[p].count == 0)
      continue;
    memory.assign(to, to + done);
    std::merge(memory.begin(), memory.end(), parts[p].first,
               parts[p].first + parts[p].count, to);
    done += parts[p].count;
  }
}

} // namespace

bool canMerge(const KeptSpikes *lists, size_t count) {
  return std::all_of(lists, lists + count, [](const KeptSpikes &kept) {
    return kept.spikes.isRising() && kept.spikes.areOnes();
  });
}

SpikeList mergeSpikes(KeptSpikes *lists, size_t count) {
  std::vector<Cursor> cursors;
  for (size_t i = 0; i < count; ++i)
    cursors.push_back({&lists[i].spikes});
  std::vector<Group> groups;
  std::vector<ListPart> parts; // by group and list
  size_t all = 0;
  while (true) {
    const Cursor *next = nullptr;
    for (const Cursor &each : cursors)
      if (!each.ended() && (!next || keyOf(each.at()) < keyOf(next->at())))
        next = &each;
    if (!next)
      break;
    const SpikeList::Run run = next->at();
    Group group{run.tick, run.population, all, 0};
    for (Cursor &each : cursors) {
      ListPart part;
      if (!each.ended() && keyOf(each.at()) == keyOf(run)) {
        part = {each.list->neurons().data() + each.first, each.at().count};
        each.first += part.count;
        ++each.run;
      }
      group.count += part.count;
      parts.push_back(part);
    }
    all += group.count;
    groups.push_back(group);
  }
  std::vector<uint32_t> neurons(all);
  const auto threads = static_cast<unsigned>(count);
  const size_t pieces = std::min<size_t>(groups.size(), threads * size_t(8));
  inParallel(pieces, threads, [&](size_t piece) {
    std::vector<uint32_t> memory;
    for (size_t g = piece * groups.size() / pieces,
                last = (piece + 1) * groups.size() / pieces;
         g < last; ++g)
      merge(parts.data() + g * count, count, neurons.data() + groups[g].first,
            memory);
  });
  std::vector<SpikeList::Run> runs;
  for (const Group &group : groups)
    runs.push_back({group.tick, group.population, group.count});
  for (size_t i = 0; i < count; ++i)
    lists[i].spikes = {};
  return SpikeList(std::move(runs), std::move(neurons));
}

} // namespace dendrolith::sim
