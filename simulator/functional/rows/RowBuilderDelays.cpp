// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This adds lists whose entries have delays of their own: the entries of one
// delay are a run. Such a list is one message, and is counted as one.

#include "simulator/functional/rows/RowBuilder.h"

#include <algorithm>

namespace dendrolith::sim {

bool RowBuilder::hasDelays(const Message &m) const {
  const ListReader &reader = readers[m.core];
  if (!reader.hasEntryDelays())
    return false;
  const SynapseList &shape = reader.shapes()[m.list.shape];
  for (uint32_t k = 0; k < shape.count; ++k)
    if (reader.entryDelay(m.list.first + k))
      return true;
  return false;
}

void RowBuilder::addDelayed(const Message &m, size_t before, uint64_t due) {
  const ListReader &reader = readers[m.core];
  const SynapseList &shape = reader.shapes()[m.list.shape];
  std::map<uint32_t, std::vector<uint32_t>> byDelay;
  for (uint32_t k = 0; k < shape.count; ++k) {
    const uint32_t delay = reader.entryDelay(m.list.first + k);
    byDelay[delay].push_back(k);
    if (latest[m.core] >= due + delay + layout.firstWindow)
      widenTo(placeOf(m, k), due + delay);
  }
  for (const auto &[delay, entries] : byDelay)
    addPart(m, entries, m.list.delay + delay, before);
  layout.maxDelay =
      std::max(layout.maxDelay, m.list.delay + byDelay.rbegin()->first);
  addKindOf(m);
}

void RowBuilder::addPart(const Message &m, const std::vector<uint32_t> &entries,
                         uint32_t delay, size_t before) {
  const ListReader &reader = readers[m.core];
  const SynapseList &shape = reader.shapes()[m.list.shape];
  const auto count = uint32_t(entries.size());
  if (isShort(shape, /*delayed=*/true) &&
      rows.packed.size() + rows.wide.size() <= mostEntries &&
      (!rows.weightBits || count <= rows.packed.room())) {
    openRun(before, delay).count += count;
    uint32_t *out = rows.weightBits ? rows.packed.extend(count) : nullptr;
    for (uint32_t k : entries) {
      const int32_t weight = reader.weight(m.list.first + k);
      if (out)
        *out++ = packEntry(placeOf(m, k),
                           uint32_t(weight) << (shape.shift - rows.shift),
                           rows.weightBits);
      else
        rows.wide.push_back(
            {placeOf(m, k), weight * (int32_t(1) << shape.shift)});
    }
    return;
  }
  rows.runs.push_back({rows.listWeights.size(), count, delay, placeOf(m),
                       uint32_t(rows.listOffsets.size()), shape.shift});
  for (uint32_t k : entries) {
    rows.listWeights.push_back(reader.weight(m.list.first + k));
    rows.listOffsets.push_back(placeOf(m, k) - placeOf(m));
  }
}

} // namespace dendrolith::sim
