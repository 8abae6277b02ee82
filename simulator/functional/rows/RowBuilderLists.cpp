// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This serves long lists as lists, and finds lists whose accumulations fall due
// before the first visit.

#include "simulator/functional/rows/RowBuilder.h"

#include <algorithm>

namespace dendrolith::sim {

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
