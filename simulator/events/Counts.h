// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts say how often each event of targets/loader/chip/Counters.def happened,
// as integers. Nothing here knows a price or a time.

#ifndef DENDROLITH_SIMULATOR_EVENTS_COUNTS_H
#define DENDROLITH_SIMULATOR_EVENTS_COUNTS_H

#include "runtime/image/Tables.h"
#include "targets/loader/chip/Counters.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith::sim {

using dendrolith::Counter;
using dendrolith::counterName;
using dendrolith::counterOf;

/// Returns the counter of the synaptic operations through lists of a kind: of
/// all of them, or (`graded`) of those that messages with an integer cause.
Counter synopsOf(ListKind kind, bool graded);

/// An object holds the counters of one core, of the host or of a whole chip.
class CoreCounts {
public:
  uint64_t &operator[](Counter c) { return values[static_cast<size_t>(c)]; }
  uint64_t operator[](Counter c) const {
    return values[static_cast<size_t>(c)];
  }
  /// Adds n * each to a counter. What is counted one by one stays below 2^64 in
  /// any run that ends. But words and hops of a message are as large as the
  /// image and the mesh say, and cores add up. So a count that would not fit
  /// throws Error, here and in the sums below.
  void add(Counter c, uint64_t n, uint64_t each);
  CoreCounts &operator+=(const CoreCounts &other);
  /// Takes away what was added earlier.
  CoreCounts &operator-=(const CoreCounts &other);
  bool operator==(const CoreCounts &other) const {
    return values == other.values;
  }
  bool operator!=(const CoreCounts &other) const { return !(*this == other); }

private:
  std::array<uint64_t, kCounters> values{};
};

/// This says how many flits went over one link between the routers of
/// neighbouring tiles.
struct LinkCount {
  uint32_t from = 0, to = 0; // tiles
  uint64_t flits = 0;
  bool operator==(const LinkCount &o) const {
    return from == o.from && to == o.to && flits == o.flits;
  }
};

/// These are a run's counts. All samples of the run are added up.
struct Counts {
  CoreCounts chip;                      // what only the whole chip counts
  CoreCounts host;                      // what the host injects and sends
  std::map<uint32_t, CoreCounts> cores; // every used core, by id
  uint64_t tiles = 0;                   // tiles that hold a used core
  uint64_t chips = 1;                   // those in use, as Extent says
  std::vector<LinkCount> links;         // sorted; those that flits went over

  /// Returns the sum of chip, host and cores.
  CoreCounts total() const;
  /// Adds another run of the same program.
  void merge(const Counts &other);
  bool operator==(const Counts &other) const;

  /// Returns "core 3 synops.dense: 5 and 7" for the first counter that differs,
  /// or nothing when all are equal. Stalls are left out, because only one
  /// engine knows them.
  std::string difference(const Counts &other) const;
};

// The counts of a run once more, by what caused them instead of by the core at
// which they were counted. Each event belongs to one input, population or flow
// between them, so that all parts together are the counts of the run.

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

#endif // DENDROLITH_SIMULATOR_EVENTS_COUNTS_H
