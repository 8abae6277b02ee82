// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a core's update engine (or the host) sends in one step, and when. The
// engine works for a while, hands a message to the injection port, and goes on
// when the port has taken it: a port that is stalled stalls the engine.

#ifndef DENDROLITH_SIMULATOR_TIMING_MESSAGES_MESSAGESTREAM_H
#define DENDROLITH_SIMULATOR_TIMING_MESSAGES_MESSAGESTREAM_H

#include "simulator/functional/machine/Machine.h"
#include "simulator/timing/messages/ServiceTimes.h"
#include "targets/loader/Target.h"
#include "targets/mesh/Flit.h"
#include "targets/mesh/FlitMesh.h"

#include <cstdint>
#include <vector>

namespace dendrolith::sim {

// Where the emissions of each source go on a mesh with multicast, in the order
// in which routers tell destinations apart.

/// One destination for each message of Machine::messages(), so that a core gets
/// as many copies as the source has in-axons there.
class DestinationSets {
public:
  /// A destination's `message` is the time that serving it takes, or, without
  /// `services`, the in-axon.
  DestinationSets(const Machine &machine, const Target &target,
                  const ServiceTimes *services);

  /// The destinations of all messages of one source: sorted by x, then by y,
  /// those of a tile in out-axon order.
  Span<Destination> of(Span<Machine::Message> messages) const {
    const Destination *begin = all.data() + (messages.first - first);
    return {begin, begin + messages.size()};
  }

private:
  const Machine::Message *first;
  std::vector<Destination> all; // source by source
};

class MessageStream {
public:
  /// All messages of one emission, or the one that takes a value to the host.
  struct Burst {
    uint64_t work = 0;         // ps that the engine worked before it
    Span<Machine::Message> to; // in out-axon order; empty if to the host
    int64_t payload = 0;
    uint32_t flits = 1; // that each message has
    bool graded = false;
  };

  /// `messageOut` ps go by for each message before it is handed over. With
  /// `services` a flit's `message` says how long it will be served; without,
  /// it names burst and in-axon. With `sets` an emission is one message to all
  /// of its destinations.
  MessageStream(uint32_t endpoint, uint32_t host, uint64_t messageOut,
                const Machine &machine, const ServiceTimes *services,
                const DestinationSets *sets)
      : endpoint(endpoint), host(host), messageOut(messageOut),
        machine(&machine), services(services), sets(sets) {}

  /// Begins a step. No flit is on its way.
  void clear();
  void add(const Burst &burst) { bursts.push_back(burst); }

  /// Without services: what a flit of this stream belongs to.
  const Burst &burst(const Flit &flit) const {
    return bursts[flit.message >> 32];
  }

  /// The engine begins at `time`; `tail` ps of work follow the last message.
  void start(uint64_t time, uint64_t tail, FlitMesh &mesh);

  /// The port took the flit offered, which waited since the time returned. What
  /// the next one adds to the stream's end is not known before it is taken,
  /// too.
  uint64_t accepted(uint64_t time, FlitMesh &mesh);

  uint32_t sender() const { return endpoint; }
  /// All of the step.
  const std::vector<Burst> &all() const { return bursts; }
  /// The messages that the port takes with the flit offered; none if that ends
  /// no message, or goes to the host.
  Span<Machine::Message> ending() const {
    const Span<Machine::Message> &to = bursts[current].to;
    if (!endsMessage())
      return {};
    if (sets || to.size() == 0)
      return to;
    return {to.begin() + message, to.begin() + message + 1};
  }
  bool endsMessage() const { return flit + 1 == bursts[current].flits; }

  bool done() const { return current == bursts.size(); }
  /// When the engine began with the step that it works on.
  uint64_t begun() const { return beginning; }
  /// When the engine has finished, once done().
  uint64_t end() const { return finish; }

  struct Sent {
    uint64_t messages = 0, flits = 0, stalled = 0;
    uint64_t toHost = 0, flitsToHost = 0; // are part of the first two
  };
  /// What was taken since the stream was made, or forgot what it had sent.
  const Sent &sent() const { return total; }
  void forget() { total = {}; }

private:
  void offer(uint64_t when, FlitMesh &mesh);
  void offerMessage(uint64_t time, FlitMesh &mesh);

  uint32_t endpoint, host;
  uint64_t messageOut;
  const Machine *machine;
  const ServiceTimes *services;
  const DestinationSets *sets; // null without multicast
  std::vector<Burst> bursts;
  // The burst, the message in it, and the flit of that which is offered.
  size_t current = 0, message = 0;
  uint32_t flit = 0;
  uint64_t ready = 0, tail = 0, finish = 0;
  uint64_t beginning = 0;
  Sent total;
};

/// Without service times, a flit's `message` names the burst of its sender and
/// the in-axon that it goes to.
inline uint64_t packMessage(uint32_t burst, uint32_t axon) {
  return uint64_t(burst) << 32 | axon;
}
inline uint32_t axonOf(const Flit &flit) {
  return static_cast<uint32_t>(flit.message);
}

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_MESSAGES_MESSAGESTREAM_H
