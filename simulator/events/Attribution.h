// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counts of a run once more, by what caused them instead of by the core at
// which they were counted. Each event belongs to one input, population or flow
// between them, so that all parts together are the counts of the run.

#ifndef DENDROLITH_SIMULATOR_EVENTS_ATTRIBUTION_H
#define DENDROLITH_SIMULATOR_EVENTS_ATTRIBUTION_H

#include "simulator/events/Counts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::sim {

/// What an input or a population causes: its updates and spikes, the messages
/// that it sends on their way to whomever, and the work of serving the messages
/// that it gets from whomever.
struct LayerCounts {
  std::string name;
  bool isInput = false;
  uint64_t neurons = 0; // or elements of an input
  CoreCounts counts;
  bool operator==(const LayerCounts &o) const {
    return name == o.name && isInput == o.isInput && neurons == o.neurons &&
           counts == o.counts;
  }
};

/// What the messages from one layer to another cause, on their way and where
/// they are served.
struct FlowCounts {
  /// The target of values for the host, and with multicast that of messages
  /// which go to several populations at once.
  static constexpr uint32_t host = UINT32_MAX, several = UINT32_MAX - 1;

  uint32_t source = 0, target = 0; // indices into the layers
  CoreCounts counts;
  bool operator==(const FlowCounts &o) const {
    return source == o.source && target == o.target && counts == o.counts;
  }
};

struct Attribution {
  CoreCounts chip; // what no layer causes: steps, barriers, resets
  std::vector<LayerCounts> layers; // inputs, then populations, in their order
  std::vector<FlowCounts> flows;   // rising by source and target

  /// Returns the sum of the chip and all layers.
  CoreCounts total() const;
  bool operator==(const Attribution &o) const {
    return chip == o.chip && layers == o.layers && flows == o.flows;
  }
};

/// Whether an event of a flow belongs to the layer that receives, and not to
/// the one that sends.
bool isServed(Counter counter);

/// Adds each flow's events to its layers.
void addFlows(Attribution &attribution);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_EVENTS_ATTRIBUTION_H
