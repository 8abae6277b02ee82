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
#include "targets/support/Time.h"

#include <algorithm>
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

// A core's receive engine: one server behind the queue that the router fills.
// Nothing later can change when a message that has arrived will be served, so
// its end is computed when it arrives and no event is spent on it.

class Receiver {
public:
  /// How long the service of a message to that in-axon takes: message_in, then
  /// the words of its list and its entries, the first of which may take longer.
  static uint64_t duration(const TimingSet &timing, const Axon &axon) {
    auto ofKind = [&](const TimingSet::PerSynapse &of) {
      return axon.uniform && of.uniform      ? *of.uniform
             : axon.kind == ListKind::Dense  ? of.dense
             : axon.kind == ListKind::Sparse ? of.sparse
                                             : of.conv;
    };
    uint64_t entries = times(axon.count, ofKind(timing.perSynapse));
    if (axon.count)
      entries = plus(entries, ofKind(timing.firstEntry));
    return plus(timing.messageIn,
                plus(times(axon.words, timing.perWord), entries));
  }

  /// A flit arrives at `time`. Returns when it leaves the queue: after
  /// `service` ps at the head of it (0 for all but the last of a message).
  uint64_t arrive(uint64_t time, uint64_t service) {
    busyUntil = plus(std::max(time, busyUntil), service);
    return busyUntil;
  }

private:
  uint64_t busyUntil = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_MESSAGES_SERVICETIMES_H
