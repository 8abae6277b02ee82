// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/MessageStream.h"

#include "simulator/timing/Time.h"

#include <algorithm>

namespace neurite::sim {

void MessageStream::start(uint64_t time, uint64_t workAfter, Mesh &mesh) {
  tail = workAfter;
  if (done())
    finish = plus(time, tail);
  else
    offerMessage(plus(time, bursts.front().work), mesh);
}

/// The engine turns to the current message at `time`.
void MessageStream::offerMessage(uint64_t time, Mesh &mesh) {
  offer(plus(time, messageOut), mesh);
}

void MessageStream::offer(uint64_t when, Mesh &mesh) {
  const Burst &burst = bursts[current];
  Flit next;
  next.source = endpoint;
  next.rest = burst.flits - 1 - flit;
  uint32_t axon = 0;
  if (burst.to.size()) {
    next.destination = burst.to[message].core;
    axon = burst.to[message].axon;
  } else {
    next.destination = host;
  }
  next.message = packMessage(static_cast<uint32_t>(current), axon);
  ready = when;
  mesh.offer(next, when);
}

void MessageStream::accepted(uint64_t time, Mesh &mesh) {
  const Burst &burst = bursts[current];
  bool toHost = burst.to.size() == 0;
  total.stalled += time - ready;
  ++total.flits;
  total.flitsToHost += toHost;
  // The further flits of a message are ready at once.
  if (++flit < burst.flits)
    return offer(time, mesh);
  flit = 0;
  ++total.messages;
  total.toHost += toHost;
  if (++message < burst.to.size())
    return offerMessage(time, mesh);
  message = 0;
  ++current;
  if (done())
    finish = plus(time, tail);
  else
    offerMessage(plus(time, bursts[current].work), mesh);
}

} // namespace neurite::sim
