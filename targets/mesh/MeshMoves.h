// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a flit passes a router, for those who decide which one does. This runs
// several times for each message, so that sums of times are not checked:
// advance() has made sure that none can wrap.

#ifndef DENDROLITH_TARGETS_MESH_MESHMOVES_H
#define DENDROLITH_TARGETS_MESH_MESHMOVES_H

#include "targets/mesh/FlitMesh.h"

#include <algorithm>

namespace dendrolith {

/// A flit was sent to an input of the tile with that index; it is the first one
/// there if the buffer was empty. Whether it was cannot be predicted, so no
/// branch depends on it.
inline void FlitMesh::enter(Tile &tile, uint32_t index, uint32_t port,
                            bool first, uint64_t soonest, uint32_t out) {
  const uint64_t choice = -uint64_t(first);
  tile.soonest[port] = (soonest & choice) | (tile.soonest[port] & ~choice);
  tile.out[port] =
      static_cast<uint8_t>((out & choice) | (tile.out[port] & ~choice));
  uint64_t &next = nexts[index];
  next = std::min(next, std::max(soonest, tile.open[out]) | ~choice);
}

/// Takes the first flit out of an input; the next one becomes the first.
inline void FlitMesh::leave(Tile &tile, uint32_t from, Output &input,
                            uint64_t now) {
  const bool full = input.full();
  input.leave(now + returns[input.times]);
  input.nextRead = now + reads[input.times];
  const CreditBuffer::Slot &first = input.front();
  const uint64_t none = input.empty(); // all bits: `never`
  tile.soonest[from] = std::max(first.time, input.nextRead) | -none;
  tile.out[from] = static_cast<uint8_t>(first.route.port());
  if (full)
    wakeSender(tile, from);
}

/// Sends the first flit of an input to the next router. Where there are flits
/// with several destinations, it or a copy of it.
template <bool plain>
inline void FlitMesh::forward(Tile &tile, uint32_t index, uint32_t from,
                              uint32_t port, uint64_t now) {
  Output &output = tile.outputs[port], &input = inputOf(tile, from);
  CreditBuffer::Slot &first = input.front();
  const uint32_t flit = first.route.flit();
  const FlitRoute leaving =
      !plain && multicast ? part(tile, port, first.route) : first.route;
  tile.turn[port] = static_cast<uint8_t>(from + 1);
  ++output.link.flits;
  output.link.waited += now - first.time;
  if (!plain && counting)
    ++flits[leaving.flit()].hops[output.times == Crossing ? 2 : port < East];
  const bool isFirst = output.empty();
  const CreditBuffer::Slot moved{now + forwards[output.times],
                                 leaving.behind()};
  output.nextSend = now + intervals[output.times];
  tile.open[port] = output.put(moved, output.nextSend);
  const int32_t step = toNext[port];
  enter(*(&tile + step), index + static_cast<uint32_t>(step), port, isFirst,
        std::max(moved.time, output.nextRead), moved.route.port());
  if (!plain && leaving.flit() != flit)
    stay(tile, from, input, now);
  else
    leave(tile, from, input, now);
}

/// Gives the first flit of an input to its core, which has room for it.
template <bool plain>
inline void FlitMesh::eject(Tile &tile, uint32_t from, uint64_t now) {
  Output &output = tile.outputs[Local], &input = inputOf(tile, from);
  CreditBuffer::Slot &first = input.front();
  const uint32_t flit = first.route.flit();
  const uint32_t leaving =
      !plain && multicast ? part(tile, Local, first.route).flit() : flit;
  tile.turn[Local] = static_cast<uint8_t>(from + 1);
  ++output.link.flits;
  output.link.waited += now - first.time;
  tile.open[Local] = now + intervals[Local];
  const Flit arrived = flits[leaving];
  unused.push_back(leaving);
  EndpointState &to = endpoints[arrived.destination];
  if (!to.takesAll)
    to.queue.put({}, tile.open[Local]);
  --flying;
  if (!plain && leaving != flit)
    stay(tile, from, input, now);
  else
    leave(tile, from, input, now);
  listener.ejected(arrived, now + ports[Local].eject);
}

/// The first one of several inputs at or after the turn of their output, or
/// else the first of all.
inline uint32_t FlitMesh::winner(const Tile &tile, uint32_t port,
                                 uint32_t inputs, uint64_t now) const {
  if (turnTime)
    return winnerByClock(inputs, now);
  const uint32_t turn = tile.turn[port];
  const uint32_t after = inputs >> turn << turn;
  return __builtin_ctz(after ? after : inputs);
}

/// Whether the core has room for the first flit of an input. If not, the flit
/// waits until it may have.
inline bool FlitMesh::hasRoom(Tile &tile, uint32_t input, uint64_t now) {
  const uint64_t room = destinationOf(tile, input).room();
  if (room <= now)
    return true;
  tile.soonest[input] = room;
  return false;
}

/// Those of `inputs` whose first flit the core that it is for has room for. All
/// first flits are for cores of this tile.
inline uint32_t FlitMesh::withRoom(Tile &tile, uint32_t inputs, uint64_t now) {
  for (uint32_t left = inputs; left; left &= left - 1) {
    const uint32_t input = __builtin_ctz(left);
    inputs &= ~(uint32_t(!hasRoom(tile, input, now)) << input);
  }
  return inputs;
}

/// Lets one of several inputs, whose first flits want the same output, send.
template <bool plain>
inline void FlitMesh::settle(Tile &tile, uint32_t index, uint32_t port,
                             uint32_t inputs, uint64_t now) {
  if (port != Local)
    forward<plain>(tile, index, winner(tile, port, inputs, now), port, now);
  else if ((inputs = withRoom(tile, inputs, now)))
    eject<plain>(tile, winner(tile, Local, inputs, now), now);
}

/// The place of the first endpoint, at or after its port's turn or else from
/// the port's beginning, that has a flit at `now`. There is one.
inline uint32_t FlitMesh::nextInLine(const InjectionPort &port,
                                     uint64_t now) const {
  uint32_t winner = 0;
  for (uint32_t rank = port.count; rank-- > 0;) {
    const uint32_t at = port.turn + rank;
    const uint32_t i = port.first + (at < port.count ? at : at - port.count);
    winner = offers[i].ready <= now ? i : winner;
  }
  return winner;
}

/// Takes the flit of one of the cores that have one ready.
inline void FlitMesh::inject(Tile &tile, uint32_t index, uint64_t now) {
  InjectionPort &port = injections[index];
  const uint32_t winner = nextInLine(port, now);
  port.turn = winner + 1 - port.first;
  offers[winner].ready = never;
  portFree = port.nextSend;
  port.nextSend = now + reads[Local];
  --offered;
  ++flying;
  Output &buffer = tile.outputs[Local];
  const bool isFirst = buffer.empty();
  const CreditBuffer::Slot entering{now + entry, offers[winner].route};
  const uint64_t room = buffer.put(entering, port.nextSend);
  enter(tile, index, Local, isFirst, std::max(entering.time, buffer.nextRead),
        entering.route.port());
  accepting = index;
  listener.accepted(attached[winner], now);
  accepting = UINT32_MAX;
  uint64_t first = never;
  for (uint32_t i = port.first; i < port.first + port.count; ++i)
    first = std::min(first, offers[i].ready);
  port.soonest = std::max(first, port.nextSend);
  tile.injection = std::max(port.soonest, room);
}

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_MESH_MESHMOVES_H
