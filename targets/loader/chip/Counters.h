// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the engines count and which of it can have a price, made from the table
// Counters.def. simulator/COUNTERS.md shows the definitions.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_COUNTERS_H
#define DENDROLITH_TARGETS_LOADER_CHIP_COUNTERS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dendrolith {

enum class Counter : uint8_t {
#define COUNTER(Name, ...) Name,
#include "targets/loader/chip/Counters.def"
};
constexpr size_t kCounters = 0
#define COUNTER(...) +1
#include "targets/loader/chip/Counters.def"
    ;

/// What a bill adds up under one heading.
enum class EventGroup : uint8_t {
#define EVENT_GROUP(Name, ...) Name,
#include "targets/loader/chip/Counters.def"
};
constexpr size_t kEventGroups = 0
#define EVENT_GROUP(...) +1
#include "targets/loader/chip/Counters.def"
    ;

/// Whose counter goes up; Counters.def says what each means.
enum class CountedAt : uint8_t {
  Chip,
  Host,
  Source,
  Sender,
  Destination,
  Updating,
};

/// What a target or an engine must have for a counter to go up.
enum class CounterNeeds : uint8_t {
  Nothing,
  BinarySpikes,
  GradedSpikes,
  Joins,
  Programs,
  Boards,
  CycleEngine,
};

/// A counter's row of the table.
struct CounterRow {
  const char *name; // dotted, "synops.dense"
  CountedAt place;
  const char *unit;
  unsigned order; // among energy events; 0 = it is none
  EventGroup group;
  CounterNeeds needs;
  const char *definition;
};
const CounterRow &rowOf(Counter counter);

/// "synapses".
const char *toString(EventGroup group);

/// The dotted name ("synops.dense"), whose parts are the nested objects of the
/// JSON form.
const char *counterName(Counter counter);
/// Nothing for an unknown name.
std::optional<Counter> counterOf(std::string_view name);
/// Whether a whole chip has only one of it, as of `steps`.
bool isChipLevel(Counter counter);
/// Whether the cycle engine alone knows it, as of `stalls`.
bool isCycleOnly(Counter counter);
/// Whether results name it only where it is not 0, as of `crossings`.
bool isRare(Counter counter);

/// The energy events, which are the counters that any cost table may price, in
/// the order of cost tables and bills.
const std::vector<Counter> &energyEvents();
/// Their names.
const std::vector<std::string> &allEvents();

/// The energy events of a name or of a group of names: "synops" gives
/// synops.dense, .sparse, .conv; an event gives itself; an unknown name gives
/// nothing.
std::vector<std::string> eventLeaves(const std::string &eventOrGroup);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_COUNTERS_H
