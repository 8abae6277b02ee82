// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This walks over all sources, and builds the rows of short lists.

#include "simulator/functional/rows/RowBuilder.h"

#include <algorithm>
#include <cstring>

namespace dendrolith::sim {

void releaseTables(image::Program &program) {
  for (image::Input &input : *program.mutable_inputs())
    input.clear_axons();
  for (image::Core &core : *program.mutable_cores()) {
    for (image::Group &group : *core.mutable_groups())
      group.clear_axons();
    core.clear_synapses();
    core.clear_in_axons();
  }
}

BucketLayout RowBuilder::run(image::Program *release) {
  for (int i = 0; i < program.inputs_size(); ++i) {
    add(program.inputs(i).axons(), machine.inputs()[size_t(i)].schedule.phase);
    if (release)
      release->mutable_inputs(i)->clear_axons();
  }
  size_t g = 0;
  for (int c = 0; c < program.cores_size(); ++c)
    for (int i = 0; i < program.cores(c).groups_size(); ++i) {
      add(program.cores(c).groups(i).axons(),
          machine.groups()[g++].schedule.phase);
      if (release)
        release->mutable_cores(c)->mutable_groups(i)->clear_axons();
    }
  if (release)
    releaseTables(*release);
  return layout;
}

void RowBuilder::add(const image::Axons &axons, uint64_t phase) {
  const PackedAxons packed(axons);
  AxonWalk walk(packed);
  for (size_t s = 0; s < packed.sources(); ++s) {
    const uint32_t count = packed.begin(s + 1) - packed.begin(s);
    if (oneDelay)
      addInTurn(walk, count, phase);
    else
      addSource(walk, count, phase);
    rows.runBegin.push_back(uint32_t(rows.runs.size()));
    rows.messageBegin.push_back(rows.kindOf.size() + rows.wideKindOf.size());
  }
}

void RowBuilder::addSource(AxonWalk &walk, uint32_t count, uint64_t phase) {
  messages.clear();
  delayed.clear();
  bool sorted = true;
  for (; count > 0; --count) {
    const AxonRow row = walk.next();
    uint32_t core = coreIndex[row.core];
    if (!share.has(core))
      continue;
    ListReader::List list = readers[core].at(row.axon);
    if (hasDelays({core, list})) {
      delayed.push_back({core, list});
      continue;
    }
    layout.maxDelay = std::max(layout.maxDelay, list.delay);
    sorted &= messages.empty() || messages.back().list.delay <= list.delay;
    messages.push_back({core, list});
  }
  for (const Message &m : messages)
    if (latest[m.core] >= phase + 1 + m.list.delay + layout.firstWindow)
      widen(m, phase + 1 + m.list.delay);
  // Each delay has one run.
  if (!sorted)
    std::stable_sort(messages.begin(), messages.end(),
                     [](const Message &a, const Message &b) {
                       return a.list.delay < b.list.delay;
                     });
  const size_t before = rows.runs.size();
  for (size_t m = 0; m < messages.size();) {
    size_t end = m + 1;
    const bool joined = joins && addChain(m, end);
    for (; m < end; ++m)
      joined ? addKindOf(messages[m]) : addEntries(messages[m], before);
  }
  for (const Message &m : delayed)
    addDelayed(m, before, phase + 1 + m.list.delay);
}

void RowBuilder::addInTurn(AxonWalk &walk, uint32_t count, uint64_t phase) {
  const size_t before = rows.runs.size();
  const uint64_t due = phase + 1 + layout.maxDelay;
  while (count > 0) {
    const AxonRow row = takeLists(walk, count, due, before);
    if (count == 0)
      break;
    --count;
    Message m{coreIndex[row.core], {}};
    ListCursor &cursor = cursors[m.core];
    m.list = cursor.isNext(row.axon) ? cursor.next(readers[m.core])
                                     : readers[m.core].at(row.axon);
    if (latest[m.core] >= due + layout.firstWindow)
      widen(m, due);
    addEntries(m, before);
  }
}

AxonRow RowBuilder::takeLists(AxonWalk &walk, uint32_t &count, uint64_t due,
                              size_t before) {
  constexpr uint32_t step = ListCursor::kStep;
  uint32_t *const begin = rows.packed.end(), *out = begin;
  const uint32_t *const end =
      begin + std::min(rows.packed.room(),
                       mostEntries -
                           std::min<uint64_t>(mostEntries, rows.packed.size()));
  AxonRow row;
  for (; count > 0; --count) {
    row = walk.next();
    const uint32_t core = coreIndex[row.core];
    if (!share.has(core))
      continue;
    ListCursor &cursor = cursors[core];
    if (!cursor.isNext(row.axon) || end - out < ListCursor::kLargest)
      break;
    const auto list =
        cursor.take([&](uint32_t shape, uint32_t nonZero, uint32_t first) {
          return kindOf(core, shape, nonZero, first);
        });
    if (!list.entries)
      break;
    std::memcpy(out, list.entries, step * sizeof *out);
    for (uint32_t k = step; k < list.count; k += step)
      std::memcpy(out + k, list.entries + k, step * sizeof *out);
    if (latest[core] >= due + layout.firstWindow)
      for (uint32_t k = 0; k < list.count; ++k)
        widenTo(accumulatorOf(out[k], rows.weightBits), due);
    out += list.count;
    if (list.kind > 0xffff || !rows.wideKindOf.empty())
      addKind(list.kind);
    else
      rows.kindOf.push_back(uint16_t(list.kind));
  }
  if (out != begin) {
    openRun(before, layout.maxDelay).count += uint32_t(out - begin);
    rows.packed.extend(size_t(out - begin));
  }
  return row;
}

Rows::Run &RowBuilder::openRun(size_t before, uint32_t delay) {
  if (rows.runs.size() == before ||
      rows.runs.back().accumulator != Rows::kNone ||
      rows.runs.back().delay != delay)
    rows.runs.push_back({rows.packed.size() + rows.wide.size(), 0, delay});
  return rows.runs.back();
}

void RowBuilder::addEntries(const Message &m, size_t before) {
  const ListReader &from = readers[m.core];
  const SynapseList &shape = from.shapes()[m.list.shape];
  const uint32_t accumulator = placeOf(m);
  const uint64_t size = rows.packed.size() + rows.wide.size();
  // Sources may share lists in a way that countShared() does not see.
  if (!isShort(shape) || size > mostEntries ||
      (rows.weightBits && shape.count > rows.packed.room()))
    return addList(m, shape, accumulator);
  openRun(before, m.list.delay).count += shape.count;
  uint32_t nonZero = 0;
  const PackedNumbers weights = from.allWeights();
  const columns::View offsets = from.allOffsets();
  const bool dense = shape.kind == ListKind::Dense;
  auto each = [&](auto put) {
    for (uint32_t k = 0; k < shape.count; ++k) {
      const int32_t weight = weights.weight(m.list.first + k);
      nonZero += weight != 0;
      put(k, accumulator + (dense ? k : offsets[m.list.firstOffset + k]),
          weight);
    }
  };
  if (const unsigned bits = rows.weightBits) {
    uint32_t *out = rows.packed.extend(shape.count);
    const unsigned more = shape.shift - rows.shift;
    each([out, bits, more](uint32_t k, uint32_t at, int32_t weight) {
      out[k] = packEntry(at, uint32_t(weight) << more, bits);
    });
  } else {
    each([&](uint32_t, uint32_t at, int32_t weight) {
      rows.wide.push_back({at, weight * (int32_t(1) << shape.shift)});
    });
  }
  addKind(kindOf(m.core, m.list.shape, nonZero,
                 accumulator + (dense ? 0 : offsets[m.list.firstOffset])));
}

uint32_t RowBuilder::kindOf(uint32_t core, uint32_t shapeIndex,
                            uint32_t nonZero, uint32_t accumulator) {
  const SynapseList &shape = readers[core].shapes()[shapeIndex];
  const uint32_t section = sectionAt[accumulator];
  if (shape.count >= kLongList) {
    auto key = std::make_tuple(section, shapeIndex, nonZero);
    auto [at, isNew] = longKinds.emplace(key, 0);
    if (isNew)
      at->second = newKind(section, shape, nonZero);
    return at->second;
  }
  std::vector<uint32_t> &codes = kindCodes[section];
  const size_t at = size_t(shapeIndex) * kLongList + nonZero;
  if (codes.size() <= at)
    codes.resize(at + 1, ~uint32_t(0));
  if (codes[at] == ~uint32_t(0))
    codes[at] = newKind(section, shape, nonZero);
  return codes[at];
}

void RowBuilder::addKind(uint32_t kind) {
  if (kind > 0xffff && rows.wideKindOf.empty()) {
    rows.wideKindOf.assign(rows.kindOf.begin(), rows.kindOf.end());
    rows.kindOf = {};
  }
  if (rows.wideKindOf.empty())
    rows.kindOf.push_back(uint16_t(kind));
  else
    rows.wideKindOf.push_back(kind);
}

uint32_t RowBuilder::newKind(uint32_t section, const SynapseList &shape,
                             uint32_t nonZero) {
  rows.deliveries.push_back({sections[section].core,
                             sections[section].population, shape.count,
                             shape.words, nonZero, shape.kind});
  return uint32_t(rows.deliveries.size() - 1);
}

Rows::Rows(const image::Program &program, const Machine &machine,
           CoreShare cores, image::Program *release) {
  buckets = RowBuilder(*this, program, machine, cores).run(release);
  limits = findBounds(machine);
  findFlat();
  buckets.counted = limits.counted(machine);
  countBy(buckets.counted, machine);
}

Rows::Rows(const image::Program &program, const Machine &machine,
           image::Program *release)
    : Rows(program, machine, CoreShare{0, uint32_t(program.cores_size())},
           release) {}

} // namespace dendrolith::sim
