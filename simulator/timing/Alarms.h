// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One alarm for each of a fixed number of sleepers, and the earliest of all: a
// tree of minima. Setting an alarm anew leaves nothing behind, as it would in a
// heap, and no step of the way depends on a guess of the processor.

#ifndef NEURITE_SIMULATOR_TIMING_ALARMS_H
#define NEURITE_SIMULATOR_TIMING_ALARMS_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace neurite::sim {

/// No event: later than every time.
constexpr uint64_t never = UINT64_MAX;

class Alarms {
public:
  explicit Alarms(uint32_t sleepers) {
    while (leaves < sleepers)
      leaves *= 2;
    times.assign(2 * leaves, never);
  }

  /// Of all sleepers; `never` if none is set.
  uint64_t earliest() const { return times[1]; }
  uint64_t of(uint32_t sleeper) const { return times[leaves + sleeper]; }

  void set(uint32_t sleeper, uint64_t time) {
    uint32_t node = leaves + sleeper;
    times[node] = time;
    while (node > 1) {
      node /= 2;
      uint64_t first = std::min(times[2 * node], times[2 * node + 1]);
      if (times[node] == first)
        return;
      times[node] = first;
    }
  }

  /// Switches off an alarm set to earliest(), and tells whose it was: the
  /// lowest number.
  uint32_t pop() {
    const uint64_t time = times[1];
    uint32_t node = 1;
    while (node < leaves)
      node = 2 * node + (times[2 * node] != time);
    set(node - leaves, never);
    return node - leaves;
  }

private:
  uint32_t leaves = 1;
  std::vector<uint64_t>
      times; // a heap's layout: node's children are 2n, 2n + 1
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_ALARMS_H
