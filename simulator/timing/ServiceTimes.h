// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a core's engines take, by core, and what its receive engine takes for
// each message that the program can send. A message's time is looked up where
// it is sent, in the order of the rows, and travels with it: looked up where it
// arrives it would cost a cache miss each.

#ifndef NEURITE_SIMULATOR_TIMING_SERVICETIMES_H
#define NEURITE_SIMULATOR_TIMING_SERVICETIMES_H

#include "simulator/functional/machine/Machine.h"
#include "targets/loader/Timing.h"

#include <cstdint>
#include <map>
#include <vector>

namespace neurite::sim {

/// The timing set as each core has it, cores by their index in the machine.
class CoreTimings {
public:
  CoreTimings(const Machine &machine, const TimingSet &timing);
  const TimingSet &of(uint32_t core) const { return *timings[core]; }

private:
  std::map<uint32_t, TimingSet> scaled;
  std::vector<const TimingSet *> timings;
};

class ServiceTimes {
public:
  ServiceTimes(const Machine &machine, const CoreTimings &timings);

  /// ps, of one of Machine::messages().
  uint64_t of(const Machine::Message &message) const {
    return times[codes[&message - first]];
  }

  /// Asks for a message that is sent soon, or that comes after the last one.
  void prefetch(const Machine::Message *message) const {
    __builtin_prefetch(message);
    __builtin_prefetch(codes.data() + (message - first));
  }

private:
  const Machine::Message *first;
  std::vector<uint32_t> codes; // by message
  std::vector<uint64_t> times; // few differ
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_SERVICETIMES_H
