// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a core's engines take, by core, and how long its receive engine
// takes for each message that the program can send. A message's time is looked
// up where it is sent, in the order of the rows, and travels with it: looked up
// where it arrives it would cost a cache miss each. A machine without synapse
// lists has few kinds of in-axons, so that their times stay in the first cache.

#ifndef DENDROLITH_SIMULATOR_TIMING_MESSAGES_SERVICETIMES_H
#define DENDROLITH_SIMULATOR_TIMING_MESSAGES_SERVICETIMES_H

#include "simulator/functional/machine/Machine.h"
#include "targets/loader/chip/Timing.h"

#include <cstdint>
#include <map>
#include <vector>

namespace dendrolith::sim {

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

  struct Service {
    uint64_t time = 0; // in ps
    uint32_t core = 0; // index in the machine
  };
  /// Where one of Machine::messages() is served, and for how long.
  const Service &of(const Machine::Message &message) const {
    return services[message.axon];
  }

private:
  std::vector<Service> services; // by in-axon
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_MESSAGES_SERVICETIMES_H
