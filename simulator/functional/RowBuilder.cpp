// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over all sources, and the rows of short lists.

#include "simulator/functional/RowBuilder.h"

#include <algorithm>

namespace neurite::sim {

void RowBuilder::run(image::Program *release) {
  for (int i = 0; i < program.inputs_size(); ++i) {
    add(program.inputs(i).axons(), machine.inputs()[size_t(i)].rhythm.phase);
    if (release)
      release->mutable_inputs(i)->clear_axons();
  }
  size_t g = 0;
  for (int c = 0; c < program.cores_size(); ++c)
    for (int i = 0; i < program.cores(c).groups_size(); ++i) {
      add(program.cores(c).groups(i).axons(),
          machine.groups()[g++].rhythm.phase);
      if (release)
        release->mutable_cores(c)->mutable_groups(i)->clear_axons();
    }
  for (int c = 0; release && c < release->cores_size(); ++c) {
    release->mutable_cores(c)->clear_synapses();
    release->mutable_cores(c)->clear_in_axons();
  }
}

void RowBuilder::add(const image::Axons &axons, uint64_t phase) {
  AxonTable table = decodeAxons(axons);
  for (size_t s = 0; s < table.sources(); ++s) {
    addSource(table.rows.data() + table.begin[s],
              table.rows.data() + table.begin[s + 1], phase);
    rows.runBegin.push_back(uint32_t(rows.runs.size()));
    rows.messageBegin.push_back(rows.kindOf.size() + rows.wideKindOf.size());
  }
}

void RowBuilder::addSource(const AxonRow *row, const AxonRow *end,
                           uint64_t phase) {
  if (oneDelay) {
    const size_t before = rows.runs.size();
    for (; row != end; ++row)
      addNext(*row, phase, before);
    return;
  }
  messages.clear();
  bool sorted = true;
  for (; row != end; ++row) {
    uint32_t core = coreIndex[row->core];
    ListReader::List list = readers[core].at(row->axon);
    machine.maxDelay = std::max(machine.maxDelay, list.delay);
    sorted &= messages.empty() || messages.back().list.delay <= list.delay;
    messages.push_back({core, list});
  }
  for (const Message &m : messages)
    if (latest[m.core] >= phase + 1 + m.list.delay + machine.firstWindow)
      widen(m, phase + 1 + m.list.delay);
  // One run for each delay.
  if (!sorted)
    std::stable_sort(messages.begin(), messages.end(),
                     [](const Message &a, const Message &b) {
                       return a.list.delay < b.list.delay;
                     });
  const size_t before = rows.runs.size();
  for (const Message &m : messages)
    addEntries(m, before);
}

void RowBuilder::addNext(const AxonRow &row, uint64_t phase, size_t before) {
  const uint32_t core = coreIndex[row.core];
  Cursor &at = cursors[core];
  Message m{core, {}};
  if (row.axon == at.next) {
    m.list.shape = at.code[row.axon];
    m.list.base = at.base[row.axon];
    m.list.delay = machine.maxDelay;
    m.list.first = at.first;
    m.list.firstOffset = at.firstOffset;
    const SynapseList &shape = at.shapes[m.list.shape];
    at.first += shape.count;
    at.firstOffset += shape.kind == ListKind::Sparse ? shape.count : 0;
    ++at.next;
  } else {
    m.list = readers[core].at(row.axon);
  }
  if (latest[core] >= phase + 1 + m.list.delay + machine.firstWindow)
    widen(m, phase + 1 + m.list.delay);
  addEntries(m, before);
}

void RowBuilder::addEntries(const Message &m, size_t before) {
  const Cursor &from = cursors[m.core];
  const SynapseList &shape = from.shapes[m.list.shape];
  const uint32_t position = from.position + m.list.base;
  const uint64_t size = rows.packed.size() + rows.wide.size();
  if (!isShort(shape) || size > kMostEntries)
    return addList(m, shape, position);
  if (rows.runs.size() == before || rows.runs.back().position != Rows::kNone ||
      rows.runs.back().delay != m.list.delay)
    rows.runs.push_back({size, 0, m.list.delay});
  rows.runs.back().count += shape.count;
  uint32_t nonZero = 0;
  const PackedNumbers weights = from.weights;
  const columns::View offsets = from.offsets;
  const bool dense = shape.kind == ListKind::Dense;
  auto each = [&](auto put) {
    for (uint32_t k = 0; k < shape.count; ++k) {
      const int32_t weight = weights.weight(m.list.first + k);
      nonZero += weight != 0;
      put(k, position + (dense ? k : offsets[m.list.firstOffset + k]), weight);
    }
  };
  if (const unsigned bits = rows.weightBits) {
    uint32_t *out = rows.packed.extend(shape.count);
    each([out, bits](uint32_t k, uint32_t at, int32_t weight) {
      out[k] = at << bits | (uint32_t(weight) & ((uint32_t(1) << bits) - 1));
    });
  } else {
    each([&](uint32_t, uint32_t at, int32_t weight) {
      rows.wide.push_back({at, weight * (int32_t(1) << shape.shift)});
    });
  }
  addKind(m, shape, nonZero);
}

void RowBuilder::addKind(const Message &m, const SynapseList &shape,
                         uint32_t nonZero) {
  uint32_t kind = 0;
  std::vector<uint32_t> &codes = kindCodes[m.core];
  if (shape.count < kLongList) { // mostly
    const size_t at = size_t(m.list.shape) * kLongList + nonZero;
    if (codes.size() <= at)
      codes.resize(at + 1, ~uint32_t(0));
    if (codes[at] == ~uint32_t(0))
      codes[at] = newKind(m.core, shape, nonZero);
    kind = codes[at];
  } else {
    auto key = std::make_tuple(m.core, m.list.shape, nonZero);
    auto [at, isNew] = longKinds.emplace(key, 0);
    if (isNew)
      at->second = newKind(m.core, shape, nonZero);
    kind = at->second;
  }
  if (kind > 0xffff && rows.wideKindOf.empty()) {
    rows.wideKindOf.assign(rows.kindOf.begin(), rows.kindOf.end());
    rows.kindOf = {};
  }
  if (rows.wideKindOf.empty())
    rows.kindOf.push_back(uint16_t(kind));
  else
    rows.wideKindOf.push_back(kind);
}

uint32_t RowBuilder::newKind(uint32_t core, const SynapseList &shape,
                             uint32_t nonZero) {
  rows.kinds.push_back({core, shape.count, shape.words, nonZero, shape.kind});
  return uint32_t(rows.kinds.size() - 1);
}

Rows::Rows(const image::Program &program, Machine &machine,
           image::Program *release) {
  RowBuilder(*this, program, machine).run(release);
}

} // namespace neurite::sim
