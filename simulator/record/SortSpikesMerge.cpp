// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spikes of threads that have some cores each: every list is in order, and of
// one tick and population they are merged into each other.

#include "simulator/record/SortSpikes.h"

#include "runtime/host/Workers.h"

#include <algorithm>
#include <tuple>

namespace dendrolith::sim {
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
