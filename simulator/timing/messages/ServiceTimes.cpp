// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/messages/ServiceTimes.h"

namespace dendrolith::sim {

CoreTimings::CoreTimings(const Machine &machine, const TimingSet &timing) {
  for (const Machine::Core &core : machine.cores()) {
    const TimingSet *set = &timing;
    if (timing.timeScale.count(core.id))
      set = &scaled.emplace(core.id, timing.forCore(core.id)).first->second;
    timings.push_back(set);
  }
}

ServiceTimes::ServiceTimes(const Machine &machine, const CoreTimings &timings) {
  services.reserve(machine.axons().size());
  for (size_t axon = 0; axon < machine.axons().size(); ++axon) {
    const Axon served = machine.axons()[axon];
    services.push_back(
        {Receiver::duration(timings.of(served.core), served), served.core});
  }
}

} // namespace dendrolith::sim
