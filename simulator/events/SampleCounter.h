// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counts of single samples. A run counts emissions by source and multiplies
// them out once at its end (Expansion.h), which for every sample would take
// longer than many a sample itself. So what one emission of each source causes
// is added up once, and a sample costs one look at each source and one product
// for those that emitted.
//
// The plain twin is a run of each sample alone. SampleCounterTest holds both
// equal; tests/bench/study.py shows what it costs.

#ifndef DENDROLITH_SIMULATOR_EVENTS_SAMPLECOUNTER_H
#define DENDROLITH_SIMULATOR_EVENTS_SAMPLECOUNTER_H

#include "simulator/events/Counts.h"
#include "simulator/functional/delivery/Traffic.h"
#include "simulator/functional/machine/Machine.h"
#include "targets/loader/Target.h"
#include "targets/mesh/Routing.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace dendrolith::sim {

class EventCounter;

/// What one emission of each source causes. Nothing changes it during a run.
class EmissionCosts {
public:
  EmissionCosts(const Machine &machine, const Target &target,
                const Traffic &traffic);

  /// Sums over the messages of an emission; hops as if each were one flit.
  enum Sum {
    Messages,
    HopsEw,
    HopsNs,
    Crossings,
    Delivered,
    Words,
    Dense,
    Sparse,
    Conv
  };
  using Cost = std::array<uint64_t, Conv + 1>;

  std::vector<Cost> ofSource;
  std::vector<Hops> toHost; // by core
  const Mesh mesh;

private:
  /// Without a tile they are those of an input, which the host sends.
  void addSources(const Traffic &traffic, uint32_t first, uint64_t count,
                  std::optional<uint64_t> tile);

  /// What serving one message takes, by kind.
  struct KindCost {
    Cost cost{};
    uint64_t tile = 0; // where it is served
    TileXY at;
  };
  std::vector<KindCost> kinds; // while the constructor runs
};

class SampleCounter {
public:
  SampleCounter(const Machine &machine, const EmissionCosts &costs);

  /// Returns what was counted since the last call, without resets, which stand
  /// between samples.
  CoreCounts take(const EventCounter &events, uint64_t steps, uint64_t ticks);

private:
  CoreCounts visits(const EventCounter &events) const;
  /// Adds what the sources emitted since the last call, and returns how often.
  uint64_t emit(CoreCounts &counts, const EventCounter &events,
                SourceRange sources, uint64_t flits, bool isGraded, bool host);

  const Machine &machine;
  const EmissionCosts &costs;
  std::vector<uint64_t> emissionsBefore; // by source
  CoreCounts visitsBefore;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_EVENTS_SAMPLECOUNTER_H
