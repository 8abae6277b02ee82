// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/InAxonTable.h"

#include "simulator/functional/machine/Index32.h"

namespace neurite::sim {

void InAxonTable::add(const Axon &axon) {
  if (!shapes.empty() && shapes.back().core != axon.core)
    shapeOf.clear();
  const auto [at, isNew] =
      shapeOf.emplace(Key(axon.count, axon.words, axon.delay, axon.kind,
                          axon.shift, axon.uniform),
                      static_cast<uint32_t>(shapes.size()));
  if (isNew)
    shapes.push_back({axon.count, axon.words, axon.core, axon.delay, axon.kind,
                      axon.shift, axon.uniform});
  rows.push_back({index32(axon.weight, "weights"),
                  index32(axon.offset, "synapse indices"), axon.accumulator,
                  at->second});
}

} // namespace neurite::sim
