// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run says of the values that a population emitted.

#ifndef DENDROLITH_SIMULATOR_EVENTS_SPIKEVALUES_H
#define DENDROLITH_SIMULATOR_EVENTS_SPIKEVALUES_H

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::sim {

/// How often each value was emitted, by neuron, element and update. Unary
/// spikes count as the value that they make up.
struct SpikeValues {
  std::string name; // the population; "population:output" for one of several
  int64_t low = 0;  // value of counts[0]; 0 is silence
  std::vector<uint64_t> counts;

  uint64_t updates() const; // the sum of counts
  double meanMagnitude() const;
  double share(int64_t value) const;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_EVENTS_SPIKEVALUES_H
