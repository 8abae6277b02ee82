// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run says of the ranges of its values: how often they met the end, and
// how far they went.

#ifndef DENDROLITH_SIMULATOR_EVENTS_SATURATIONS_H
#define DENDROLITH_SIMULATOR_EVENTS_SATURATIONS_H

#include <cstdint>
#include <map>
#include <string>

namespace dendrolith::sim {

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

#endif // DENDROLITH_SIMULATOR_EVENTS_SATURATIONS_H
