// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/messages/DestinationSets.h"

#include <algorithm>
#include <utility>

namespace dendrolith::sim {

DestinationSets::DestinationSets(const Machine &machine, const Target &target,
                                 const ServiceTimes *services)
    : first(machine.sources() ? machine.messages(0).begin() : nullptr) {
  for (uint32_t source = 0; source < machine.sources(); ++source) {
    const size_t begin = all.size();
    for (const Machine::Message &message : machine.messages(source)) {
      const uint32_t core = machine.coreOf(message);
      const TileXY at = target.coreXY(machine.cores()[core].id);
      all.push_back({core, static_cast<uint16_t>(at.x),
                     static_cast<uint16_t>(at.y),
                     services ? services->of(message).time : message.axon});
    }
    std::stable_sort(all.begin() + static_cast<ptrdiff_t>(begin), all.end(),
                     [](const Destination &a, const Destination &b) {
                       return std::pair(a.x, a.y) < std::pair(b.x, b.y);
                     });
  }
}

} // namespace dendrolith::sim
