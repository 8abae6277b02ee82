// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a core's engines take, by core, and how long its receive engine
// takes for each message that the program can send. A message's time is looked
// up where it is sent, in the order of the rows, and travels with it: looked up
// where it arrives it would cost a cache miss each.

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

  /// The ps that serving one of Machine::messages() takes.
  uint64_t of(const Machine::Message &message) const {
    return times[codes[&message - first]];
  }

  /// Asks the processor for a message that is sent soon. It may be one beyond
  /// the last.
  void prefetch(const Machine::Message *message) const {
    __builtin_prefetch(message);
    __builtin_prefetch(codes.data() + (message - first));
  }

private:
  const Machine::Message *first;
  std::vector<uint32_t> codes; // by message
  std::vector<uint64_t> times; // by code; few differ
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_SERVICETIMES_H
