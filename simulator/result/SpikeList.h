// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What neurons emitted. A long run has tens of millions of spikes, nearly all
// of which are 1 and come many at a time from one population: such a spike
// takes the four bytes of its neuron's number.

#ifndef DENDROLITH_SIMULATOR_RESULT_SPIKELIST_H
#define DENDROLITH_SIMULATOR_RESULT_SPIKELIST_H

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace dendrolith::sim {

/// An event is one value other than 0 that a neuron emitted.
struct SpikeEvent {
  uint32_t tick = 0;       // of its population's clock, from 0
  uint32_t population = 0; // in the program's order
  uint32_t neuron = 0;     // number in the model's file
  int32_t value = 0;       // 1 for a binary spike
  bool operator<(const SpikeEvent &o) const {
    return std::tie(tick, population, neuron, value) <
           std::tie(o.tick, o.population, o.neuron, o.value);
  }
  bool operator==(const SpikeEvent &o) const {
    return !(*this < o) && !(o < *this);
  }
};

/// Events in the order in which they were added.
class SpikeList {
public:
  /// So many events of one tick and population, which follow each other.
  struct Run {
    uint32_t tick = 0, population = 0;
    uint64_t count = 0;
  };

  SpikeList() = default;
  /// Spikes of 1 in order.
  SpikeList(std::vector<Run> runs, std::vector<uint32_t> neurons)
      : all(std::move(runs)), numbers(std::move(neurons)) {
    if (!all.empty())
      last = {all.back().tick, all.back().population, numbers.back(), 1};
  }

  void add(const SpikeEvent &event) {
    if (event.value != 1 && values.empty())
      values.assign(numbers.size(), 1);
    if (event.value != 1 || !values.empty())
      values.push_back(event.value);
    extend(event, 1);
    numbers.push_back(event.neuron);
    last = event;
  }
  /// Adds a spike of 1 for each neuron. They are rising.
  void add(uint32_t tick, uint32_t population, const uint32_t *neurons,
           size_t count) {
    if (count == 0)
      return;
    extend({tick, population, neurons[0], 1}, count);
    numbers.insert(numbers.end(), neurons, neurons + count);
    if (!values.empty())
      values.insert(values.end(), count, 1);
    last = {tick, population, neurons[count - 1], 1};
  }

  size_t size() const { return numbers.size(); }
  bool empty() const { return numbers.empty(); }
  /// Whether the events are in order.
  bool isRising() const { return rising; }
  /// Whether all values are 1.
  bool areOnes() const { return values.empty(); }
  const std::vector<Run> &runs() const { return all; }
  /// By event, the number of its neuron.
  const std::vector<uint32_t> &neurons() const { return numbers; }
  int32_t valueOf(size_t event) const {
    return values.empty() ? 1 : values[event];
  }

  /// Calls see(event) for each.
  template <typename See> void each(See see) const {
    size_t at = 0;
    for (const Run &run : all)
      for (const size_t end = at + run.count; at < end; ++at)
        see(SpikeEvent{run.tick, run.population, numbers[at], valueOf(at)});
  }
  std::vector<SpikeEvent> events() const {
    std::vector<SpikeEvent> list;
    each([&](const SpikeEvent &event) { list.push_back(event); });
    return list;
  }

  bool operator==(const SpikeList &other) const;
  bool operator!=(const SpikeList &other) const { return !(*this == other); }

  /// Writes or reads the events (runtime/host/Wire.h).
  template <typename Stream> void visit(Stream &stream) {
    stream.block(all);
    stream.block(numbers);
    stream.block(values);
    stream.plain(last);
    stream.plain(rising);
  }

private:
  void extend(const SpikeEvent &event, size_t count) {
    rising &= all.empty() || !(event < last);
    if (all.empty() || all.back().tick != event.tick ||
        all.back().population != event.population)
      all.push_back({event.tick, event.population, 0});
    all.back().count += count;
  }

  std::vector<Run> all;
  std::vector<uint32_t> numbers;
  std::vector<int32_t> values; // by event; empty where all are 1
  SpikeEvent last;
  bool rising = true;
};

inline bool SpikeList::operator==(const SpikeList &other) const {
  if (numbers != other.numbers || all.size() != other.all.size())
    return false;
  for (size_t r = 0; r < all.size(); ++r)
    if (std::tie(all[r].tick, all[r].population, all[r].count) !=
        std::tie(other.all[r].tick, other.all[r].population,
                 other.all[r].count))
      return false;
  for (size_t i = 0; i < numbers.size(); ++i)
    if (valueOf(i) != other.valueOf(i))
      return false;
  return true;
}

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_RESULT_SPIKELIST_H
