// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/messages/MessageStream.h"

#include "targets/support/Time.h"

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

/// So many messages of a row are fetched before their turn, because other
/// streams come between.
static constexpr size_t kAhead = 8;

void MessageStream::clear() {
  bursts.clear();
  current = message = 0;
  flit = 0;
}

void MessageStream::start(uint64_t time, uint64_t workAfter, FlitMesh &mesh) {
  beginning = time;
  tail = workAfter;
  if (done())
    finish = plus(time, tail);
  else
    offerMessage(plus(time, bursts.front().work), mesh);
}

/// The engine turns to the current message at `time`.
void MessageStream::offerMessage(uint64_t time, FlitMesh &mesh) {
  offer(plus(time, messageOut), mesh);
}

void MessageStream::offer(uint64_t when, FlitMesh &mesh) {
  const Burst &burst = bursts[current];
  Flit next;
  next.source = endpoint;
  next.rest = static_cast<uint16_t>(burst.flits - 1 - flit);
  ready = when;
  if (sets && burst.to.size()) {
    next.message =
        services ? 0 : packMessage(static_cast<uint32_t>(current), 0);
    return mesh.offer(next, sets->of(burst.to), when);
  }
  if (burst.to.size()) {
    const Machine::Message &to = burst.to[message];
    if (services) {
      __builtin_prefetch(&to + kAhead);
      const ServiceTimes::Service &service = services->of(to);
      next.destination = service.core;
      next.message = service.time;
    } else {
      next.destination = machine->coreOf(to);
      next.message = packMessage(static_cast<uint32_t>(current), to.axon);
    }
  } else {
    next.destination = host;
  }
  mesh.offer(next, when);
}

uint64_t MessageStream::accepted(uint64_t time, FlitMesh &mesh) {
  const uint64_t since = ready;
  const Burst &burst = bursts[current];
  bool toHost = burst.to.size() == 0;
  total.stalled += time - ready;
  ++total.flits;
  total.flitsToHost += toHost;
  // The further flits of a message are ready at once.
  if (++flit < burst.flits) {
    offer(time, mesh);
    return since;
  }
  flit = 0;
  ++total.messages;
  total.toHost += toHost;
  if (!sets && ++message < burst.to.size()) {
    offerMessage(time, mesh);
    return since;
  }
  message = 0;
  ++current;
  if (done())
    finish = plus(time, tail);
  else
    offerMessage(plus(time, bursts[current].work), mesh);
  return since;
}

} // namespace dendrolith::sim
