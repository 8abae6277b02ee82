// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This decides what form the entries of rows take, and makes room for them.

#include "simulator/functional/rows/RowBuilder.h"

#include <algorithm>

namespace dendrolith::sim {

RowBuilder::RowBuilder(Rows &rows, const image::Program &program,
                       const Machine &machine, CoreShare share)
    : rows(rows), program(program), machine(machine), share(share),
      phaseAt(machine.accumulators()), latest(machine.cores().size()),
      sectionAt(machine.accumulators()), lists(machine.cores().size()) {
  layout.firstWindow = machine.period();
  for (const image::Core &core : program.cores()) {
    coreIndex.resize(core.id() + 1);
    coreIndex[core.id()] = uint32_t(readers.size());
    readers.emplace_back(core);
  }
  for (const Machine::Group &group : machine.groups()) {
    std::fill_n(phaseAt.begin() + group.firstAccumulator,
                size_t(group.count) * group.accumulators, group.schedule.phase);
    latest[group.core] = std::max(latest[group.core], group.schedule.phase);
  }
  findSections();
  findDelay();
  chooseForm();
  std::vector<uint32_t> populations(readers.size()); // by core
  for (const Section &section : sections)
    ++populations[section.core];
  for (size_t c = 0; oneDelay && c < readers.size(); ++c)
    cursors.emplace_back(readers[c], machine.cores()[c].firstAccumulator,
                         layout.maxDelay, rows.weightBits, populations[c] > 1);
}

void RowBuilder::findSections() {
  size_t first = 0; // of the core
  for (const Machine::Group &group : machine.groups()) {
    if (first < sections.size() && sections[first].core != group.core)
      first = sections.size();
    size_t s = first;
    while (s < sections.size() && sections[s].population != group.population)
      ++s;
    if (s == sections.size())
      sections.push_back({group.core, group.population});
    std::fill_n(sectionAt.begin() + group.firstAccumulator,
                group.allAccumulators(), uint32_t(s));
  }
  kindCodes.resize(sections.size());
}

void RowBuilder::findDelay() {
  oneDelay = std::none_of(
      readers.begin(), readers.end(),
      [](const ListReader &reader) { return reader.hasEntryDelays(); });
  bool first = true;
  for (const ListReader &reader : readers)
    for (uint32_t a = 0; oneDelay && a < reader.numAxons(); ++a) {
      const uint32_t delay = reader.delay(a);
      oneDelay = first || delay == layout.maxDelay;
      layout.maxDelay = delay;
      first = false;
      if (reader.hasOneDelay())
        break;
    }
  if (!oneDelay)
    layout.maxDelay = 0;
}

unsigned RowBuilder::packedBits(unsigned needed) {
  for (unsigned bits :
       {Rows::kByte, Rows::kNarrow, Rows::kMiddle, Rows::kBroad})
    if (needed <= bits)
      return bits;
  return 0;
}

void RowBuilder::chooseForm() {
  unsigned least = kLargestShift, most = 0, needed = 0;
  bool any = false;
  uint64_t entries = 0, messages = 0;
  for (uint32_t c = share.first; c < share.end; ++c) {
    const ListReader &reader = readers[c];
    unsigned largest = 0;
    for (const SynapseList &shape : reader.shapes()) {
      if (!isShort(shape, reader.hasEntryDelays()))
        continue;
      any = true;
      least = std::min<unsigned>(least, shape.shift);
      largest = std::max<unsigned>(largest, shape.shift);
    }
    // The sign is the lowest bit, so that a weight takes as many bits packed as
    // it takes in two's complement, which are never more than 16.
    const uint32_t raw = reader.largestRaw(); // which looks at all weights
    unsigned bits = 0;
    while (bits < Rows::kBroad && raw >> bits)
      ++bits;
    needed = std::max(needed, bits + largest);
    most = std::max(most, largest);
    entries += reader.numWeights();
  }
  mostEntries = std::max(mostEntries, entries);
  mostJoined = 2 * entries;
  unsigned accumulatorBits = 1;
  while (machine.accumulators() >> accumulatorBits)
    ++accumulatorBits;
  const unsigned bits = any ? packedBits(needed - least) : 0;
  if (bits && accumulatorBits + bits <= 32) {
    rows.weightBits = bits;
    rows.shift = least;
  } else {
    longList = kLongBesideWide;
  }
  joins = chainsPay();
  if (joins || (rows.weightBits && least != most)) {
    // Lists are read ahead one by one, and without what their shifts differ by.
    oneDelay = false;
    layout.maxDelay = 0;
  }
  auto count = [&](const image::Axons &axons) {
    messages += countRows(axons.rows());
  };
  for (const image::Input &input : program.inputs())
    count(input.axons());
  for (const image::Core &core : program.cores())
    for (const image::Group &group : core.groups())
      count(group.axons());
  rows.kindOf.reserve(messages);
  rows.messageBegin.reserve(machine.sources() + size_t(1));
  rows.runBegin.reserve(machine.sources() + size_t(1));
  rows.runs.reserve(machine.sources());
  if (rows.weightBits)
    rows.packed.reserve(countShared(messages, entries));
}

uint64_t RowBuilder::countShared(uint64_t messages, uint64_t entries) {
  uint64_t axons = 0;
  for (const ListReader &reader : readers)
    axons += reader.numAxons();
  if (messages <= axons &&
      std::all_of(readers.begin(), readers.end(),
                  [](const ListReader &reader) { return reader.isInOrder(); }))
    return entries;
  return countEntries();
}

uint64_t RowBuilder::countEntries() {
  uint64_t entries = 0;
  auto count = [&](const image::Axons &axons) {
    for (const AxonRow &row : decodeAxons(axons).rows) {
      const uint32_t core = coreIndex[row.core];
      if (!share.has(core))
        continue;
      ListReader &reader = readers[core];
      const SynapseList &shape = reader.shapes()[reader.at(row.axon).shape];
      if (isShort(shape, reader.hasEntryDelays()))
        entries += shape.count;
    }
  };
  for (const image::Input &input : program.inputs())
    count(input.axons());
  for (const image::Core &core : program.cores())
    for (const image::Group &group : core.groups())
      count(group.axons());
  return std::min(entries, mostEntries + (uint64_t(1) << 16));
}

// This serves long lists as lists, and finds lists whose accumulations fall due
// before the first visit.

void RowBuilder::addList(const Message &m, const SynapseList &shape,
                         uint32_t accumulator) {
  const ListReader &reader = readers[m.core];
  const bool dense = shape.kind == ListKind::Dense;
  auto key = std::make_tuple(m.list.first, dense ? 0 : m.list.firstOffset,
                             shape.count, dense);
  auto [at, isNew] = lists[m.core].emplace(key, Kept());
  if (isNew) {
    at->second.first = rows.listWeights.size();
    at->second.offset = dense ? Rows::kNone : uint32_t(rows.listOffsets.size());
    for (uint32_t k = 0; k < shape.count; ++k) {
      rows.listWeights.push_back(reader.weight(m.list.first + k));
      if (!dense)
        rows.listOffsets.push_back(reader.offset(m.list.firstOffset + k));
    }
  }
  rows.runs.push_back({at->second.first, shape.count, m.list.delay, accumulator,
                       at->second.offset, shape.shift});
  addKindOf(m);
}

void RowBuilder::addKindOf(const Message &m) {
  const ListReader &reader = readers[m.core];
  const SynapseList &shape = reader.shapes()[m.list.shape];
  uint32_t nonZero = 0;
  for (uint32_t k = 0; k < shape.count; ++k)
    nonZero += reader.weight(m.list.first + k) != 0;
  uint32_t first = placeOf(m);
  if (shape.kind != ListKind::Dense)
    first += reader.offset(m.list.firstOffset);
  addKind(kindOf(m.core, m.list.shape, nonZero, first));
}

void RowBuilder::widen(const Message &m, uint64_t due) {
  const ListReader &reader = readers[m.core];
  const SynapseList &shape = reader.shapes()[m.list.shape];
  for (uint32_t k = 0; k < shape.count; ++k)
    widenTo(machine.cores()[m.core].firstAccumulator + m.list.base +
                (shape.kind == ListKind::Dense
                     ? k
                     : reader.offset(m.list.firstOffset + k)),
            due);
}

void RowBuilder::widenTo(uint32_t accumulator, uint64_t due) {
  if (phaseAt[accumulator] >= due)
    layout.firstWindow =
        std::max(layout.firstWindow, phaseAt[accumulator] - due + 1);
}

} // namespace dendrolith::sim
