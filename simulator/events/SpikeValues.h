// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run says of its values: which a population emitted, how often others
// met the end of their range, and how far they went.

#ifndef DENDROLITH_SIMULATOR_EVENTS_SPIKEVALUES_H
#define DENDROLITH_SIMULATOR_EVENTS_SPIKEVALUES_H

#include <cstdint>
#include <map>
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
  double share(int64_t value) const;
};

/// How often a range was met. Nothing here is an error.
struct Saturations {
  uint64_t inputs = 0; // payloads beyond an input's range
  std::map<std::string, uint64_t> wrapped, clipped; // u, v; by population
  /// State words of programs at an end of their range after an update.
  std::map<std::string, uint64_t> ended;
  /// The largest magnitudes of the states whose range calibration found, in
  /// integers, by population and state. Negative numbers count from -1
  /// downwards.
  std::map<std::string, std::map<std::string, int64_t>> peaks;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_EVENTS_SPIKEVALUES_H
