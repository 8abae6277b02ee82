// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/ServiceTimes.h"

#include "simulator/timing/Receiver.h"

#include <unordered_map>

namespace neurite::sim {

CoreTimings::CoreTimings(const Machine &machine, const TimingSet &timing) {
  for (const Machine::Core &core : machine.cores()) {
    const TimingSet *set = &timing;
    if (timing.timeScale.count(core.id))
      set = &scaled.emplace(core.id, timing.forCore(core.id)).first->second;
    timings.push_back(set);
  }
}

ServiceTimes::ServiceTimes(const Machine &machine, const CoreTimings &timings)
    : first(machine.sources() ? machine.messages(0).begin() : nullptr) {
  std::unordered_map<uint64_t, uint32_t> known;
  for (uint32_t source = 0; source < machine.sources(); ++source)
    for (const Machine::Message &message : machine.messages(source)) {
      uint64_t time = Receiver::duration(timings.of(message.core),
                                         machine.axons()[message.axon]);
      auto [found, isNew] = known.try_emplace(time, times.size());
      if (isNew)
        times.push_back(time);
      codes.push_back(found->second);
    }
}

} // namespace neurite::sim
