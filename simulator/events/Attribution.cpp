// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/events/Attribution.h"

namespace dendrolith::sim {

CoreCounts Attribution::total() const {
  CoreCounts sum = chip;
  for (const LayerCounts &layer : layers)
    sum += layer.counts;
  return sum;
}

bool isServed(Counter counter) {
  // Entering and leaving tiles is a part of a message's way.
  return rowOf(counter).place == CountedAt::Destination &&
         counter != Counter::WithinTile;
}

void addFlows(Attribution &attribution) {
  for (const FlowCounts &flow : attribution.flows)
    for (size_t i = 0; i < kCounters; ++i) {
      const Counter c = static_cast<Counter>(i);
      if (flow.counts[c] == 0)
        continue;
      const uint32_t layer = isServed(c) ? flow.target : flow.source;
      attribution.layers[layer].counts.add(c, flow.counts[c], 1);
    }
}

} // namespace dendrolith::sim
