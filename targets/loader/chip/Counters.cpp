// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/Counters.h"

#include <algorithm>
#include <array>

namespace dendrolith {

static constexpr std::array<CounterRow, kCounters> kRows = {{
#define COUNTER(Name, text, place, unit, order, group, needs, definition)      \
  {text,      CountedAt::place,  unit,                                         \
   order,     EventGroup::group, CounterNeeds::needs,                          \
   definition},
#include "targets/loader/chip/Counters.def"
}};

const CounterRow &rowOf(Counter counter) {
  return kRows[static_cast<size_t>(counter)];
}

const char *toString(EventGroup group) {
  static constexpr std::array names = {
#define EVENT_GROUP(Name, text) text,
#include "targets/loader/chip/Counters.def"
  };
  return names[static_cast<size_t>(group)];
}

const char *counterName(Counter counter) { return rowOf(counter).name; }

std::optional<Counter> counterOf(std::string_view name) {
  for (size_t i = 0; i < kCounters; ++i)
    if (name == kRows[i].name)
      return static_cast<Counter>(i);
  return std::nullopt;
}

bool isChipLevel(Counter counter) {
  return rowOf(counter).place == CountedAt::Chip;
}

bool isCycleOnly(Counter counter) {
  return rowOf(counter).needs == CounterNeeds::CycleEngine;
}

bool isRare(Counter counter) {
  return rowOf(counter).needs == CounterNeeds::Boards || isCycleOnly(counter);
}

static std::vector<Counter> makeEvents() {
  std::vector<Counter> events;
  for (size_t i = 0; i < kCounters; ++i)
    if (kRows[i].order != 0)
      events.push_back(static_cast<Counter>(i));
  std::stable_sort(events.begin(), events.end(), [](Counter a, Counter b) {
    return rowOf(a).order < rowOf(b).order;
  });
  return events;
}

const std::vector<Counter> &energyEvents() {
  static const std::vector<Counter> events = makeEvents();
  return events;
}

const std::vector<std::string> &allEvents() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (Counter event : energyEvents())
      all.push_back(counterName(event));
    return all;
  }();
  return names;
}

std::vector<std::string> eventLeaves(const std::string &eventOrGroup) {
  std::vector<std::string> leaves;
  for (const std::string &event : allEvents())
    if (event == eventOrGroup || event.rfind(eventOrGroup + ".", 0) == 0)
      leaves.push_back(event);
  return leaves;
}

} // namespace dendrolith
