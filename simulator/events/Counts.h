// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Event counts: integers under the names that result.json, cost tables and
// documentation share. Nothing here knows a price or a time.

#ifndef NEURITE_SIMULATOR_EVENTS_COUNTS_H
#define NEURITE_SIMULATOR_EVENTS_COUNTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neurite::sim {

/// One counter each; counterName() gives the dotted name ("synops.dense"),
/// whose parts are the nested objects of the JSON form.
enum class Counter : uint8_t {
  // Chip-level: in Counts::chip only.
  Steps,
  Tokens,
  Barriers,
  Resets,
  // At the source core.
  SpikesBinary,
  SpikesUnary,
  SpikesGraded,
  Inputs, // at the host
  Outputs,
  Messages,
  Flits,
  HopsEw,
  HopsNs,
  HostMessages, // of the four above: those that come from or go to the host
  HostFlits,
  HostHopsEw,
  HostHopsNs,
  // At the destination core.
  WithinTile,
  AxonReads,
  SynmemWords,
  SynopsDense,
  SynopsSparse,
  SynopsConv,
  SynopsGradedDense, // of the three above: those by graded payloads
  SynopsGradedSparse,
  SynopsGradedConv,
  // At the updating core.
  UpdatesActive,
  UpdatesInactive,
  JoinAdd,
  JoinMax,
  JoinMin,
  JoinOr,
  JoinAnd,
  JoinPass,
  SsfRungs,
  MicrocodeLoad, // element operations of programs, by MicroClass
  MicrocodeStore,
  MicrocodeMove,
  MicrocodeAdd,
  MicrocodeMultiply,
  MicrocodeMac,
  MicrocodeShift,
  MicrocodeCompare,
  MicrocodeSelect,
  MicrocodeTable,
  MicrocodeControl,
  MicrocodeEmit,
  MicrocodeIssue, // instructions
  Stalls,         // ps, cycle engine only
};
constexpr size_t kCounters = static_cast<size_t>(Counter::Stalls) + 1;

const char *counterName(Counter counter);
/// Nothing for an unknown name.
std::optional<Counter> counterOf(std::string_view name);
/// Steps, Tokens, Barriers, Resets.
bool isChipLevel(Counter counter);

/// The counters of one core, of the host or of a whole chip.
class CoreCounts {
public:
  uint64_t &operator[](Counter c) { return values[static_cast<size_t>(c)]; }
  uint64_t operator[](Counter c) const {
    return values[static_cast<size_t>(c)];
  }
  /// Adds n * each. What is counted one by one stays below 2^64 in any run that
  /// ends, but words and hops of a message are as large as the image and the
  /// mesh say, and cores add up: what would not fit throws Error, here and in
  /// the sums below.
  void add(Counter c, uint64_t n, uint64_t each);
  CoreCounts &operator+=(const CoreCounts &other);
  bool operator==(const CoreCounts &other) const {
    return values == other.values;
  }
  bool operator!=(const CoreCounts &other) const { return !(*this == other); }

private:
  std::array<uint64_t, kCounters> values{};
};

/// Flits over one link between the routers of neighbouring tiles.
struct LinkCount {
  uint32_t from = 0, to = 0; // tiles
  uint64_t flits = 0;
  bool operator==(const LinkCount &o) const {
    return from == o.from && to == o.to && flits == o.flits;
  }
};

/// A run's counts. All samples of the run are added up.
struct Counts {
  CoreCounts chip;                      // chip-level counters only
  CoreCounts host;                      // at the host's side
  std::map<uint32_t, CoreCounts> cores; // every used core, by id
  uint64_t tiles = 0;                   // holding at least one used core
  std::vector<LinkCount> links;         // sorted, non-zero

  /// chip + host + cores.
  CoreCounts total() const;
  /// Adds another run of the same program.
  void merge(const Counts &other);
  bool operator==(const Counts &other) const;

  /// "core 3 synops.dense: 5 and 7" for the first counter that differs, apart
  /// from stalls, which only one engine knows; empty when equal.
  std::string difference(const Counts &other) const;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_EVENTS_COUNTS_H
