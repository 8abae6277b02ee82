// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/InAxonTable.h"

namespace dendrolith::sim {

/// The index of what an axon has in common with others of its core.
uint32_t InAxonTable::shape(const Axon &axon) {
  if (!shapes.empty() && shapes.back().core != axon.core)
    shapeOf.clear();
  const auto [at, isNew] =
      shapeOf.emplace(Key(axon.count, axon.words, axon.delay, axon.kind,
                          axon.shift, axon.uniform, axon.later),
                      static_cast<uint32_t>(shapes.size()));
  if (isNew)
    shapes.push_back({axon.count, axon.words, axon.core, axon.delay, axon.kind,
                      axon.shift, axon.uniform, axon.later});
  return at->second;
}

void InAxonTable::add(const Axon &axon) {
  rows.push_back({index32(axon.weight, "weights"),
                  index32(axon.offset, "synapse indices"), axon.accumulator,
                  shape(axon)});
}

uint32_t InAxonTable::addKind(const Axon &axon) {
  const uint32_t kind = shape(axon);
  if (kind == rows.size())
    rows.push_back({0, 0, 0, kind});
  return kind;
}

} // namespace dendrolith::sim
