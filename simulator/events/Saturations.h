// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run says of values that met the end of their range.

#ifndef NEURITE_SIMULATOR_EVENTS_SATURATIONS_H
#define NEURITE_SIMULATOR_EVENTS_SATURATIONS_H

#include <cstdint>
#include <map>
#include <string>

namespace neurite::sim {

/// How often a range was met. Nothing here is an error.
struct Saturations {
  uint64_t inputs = 0; // payloads beyond an input's range
  std::map<std::string, uint64_t> wrapped, clipped; // u, v; by population
  /// State words of programs at an end of their range after an update.
  std::map<std::string, uint64_t> ended;
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_EVENTS_SATURATIONS_H
