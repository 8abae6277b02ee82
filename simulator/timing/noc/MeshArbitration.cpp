// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One round of a tile: which of the flits that wait in its router may leave,
// and which core may hand over its next one. Everything here runs several times
// for each message, so that sums of times are not checked: advance() has made
// sure that none can wrap.

#include "simulator/timing/noc/Mesh.h"

#include <algorithm>

namespace neurite::sim {

/// Sends a flit to an input of a tile. Whether it is the first there cannot be
/// predicted, so no branch depends on it.
inline void Mesh::enter(Tile &tile, uint32_t port, const Buffer::Slot &flit) {
  Output &input = inputOf(tile, port);
  const uint64_t first = input.empty(), choice = -first;
  input.take() = flit;
  const uint64_t soonest = std::max(flit.time, input.nextRead);
  uint64_t &when = tile.when[port];
  when = (soonest & choice) | (when & ~choice);
  uint8_t &out = tile.out[port];
  out = (flit.towards & choice) | (out & ~choice);
  tile.wanted[flit.towards] |= first << port;
  uint64_t &next = nexts[indexOf(tile)];
  next = std::min(next, when);
}

/// Takes the first flit out of an input; the next one becomes the first.
inline void Mesh::leave(Tile &tile, uint32_t from, Output &input) {
  const bool full = input.full();
  input.leave(time + returns[input.times], round);
  input.nextRead = time + reads[input.times];
  const Buffer::Slot &first = input.front();
  const uint64_t none = input.empty();
  const uint64_t soonest = std::max(first.time, input.nextRead);
  tile.when[from] = soonest | -none; // all bits: `never`
  tile.wanted[tile.out[from]] &= ~(1u << from);
  tile.wanted[first.towards] |= (none ^ 1) << from;
  tile.out[from] = first.towards;
  if (full)
    wakeSender(tile, from);
}

/// Whether the first flit of an input may leave; notes when, if not.
inline bool Mesh::mayLeave(Tile &tile, uint32_t input, Buffer &to) {
  if (tile.outputs[tile.out[input]].nextSend <= time && to.ready(time, round))
    return true;
  tile.when[input] = std::max(time, bound(tile, input));
  return false;
}

/// Sends the first flit of an input, which may leave. Where there are flits
/// with several destinations, it or a copy of it.
inline void Mesh::send(Tile &tile, uint32_t from) {
  if (multicast)
    sendOrPart(tile, from);
  else
    sendFirst</*parts=*/false>(tile, from);
}

/// Stands by itself so that the code of meshes without copies stays short.
__attribute__((noinline)) void Mesh::sendOrPart(Tile &tile, uint32_t from) {
  sendFirst</*parts=*/true>(tile, from);
}

template <bool parts> inline void Mesh::sendFirst(Tile &tile, uint32_t from) {
  const uint32_t port = tile.out[from];
  Output &output = tile.outputs[port], &input = inputOf(tile, from);
  const Buffer::Slot &first = input.front();
  const uint32_t flit = parts ? part(tile, port, first.flit) : first.flit;
  const PortTiming &times = ports[output.times];
  output.turn = static_cast<uint16_t>(from + 1);
  output.nextSend = time + times.interval;
  ++output.link.flits;
  output.link.waited += time - first.time;
  if (port == Local)
    return eject<parts>(tile, from, input, flit);
  Tile &next = *(&tile + toNext[port]);
  RoutedFlit &moved = routed[flit];
  const uint32_t along = port < East;
  ++moved.flit.hops[output.times == Crossing ? 2 : along];
  enter(next, port, {time + times.forward, flit, route(next, moved, along)});
  if (parts && flit != first.flit)
    stay(tile, from, input);
  else
    leave(tile, from, input);
}

template <bool parts>
void Mesh::eject(Tile &tile, uint32_t from, Output &input, uint32_t flit) {
  const Flit arrived = routed[flit].flit;
  unused.push_back(flit);
  EndpointState &to = endpoints[arrived.destination];
  if (!to.takesAll)
    to.queue.take();
  --flying;
  if (parts && flit != input.front().flit)
    stay(tile, from, input);
  else
    leave(tile, from, input);
  listener.ejected(arrived, time + ports[Local].eject);
}

/// Which of several inputs is served where the turn goes round by the clock:
/// local, then from the south, the north, the east and the west.
uint32_t Mesh::winnerByClock(uint32_t able) const {
  static constexpr uint32_t order[] = {Local, North, South, West, East};
  uint32_t at = time / turnTime % NumPorts;
  while (!(able >> order[at] & 1))
    at = (at + 1) % NumPorts;
  return order[at];
}

/// Lets one of several inputs with the same output send.
void Mesh::arbitrateInputs(Tile &tile, uint32_t inputs) {
  uint32_t able = 0;
  for (uint32_t left = inputs; left; left &= left - 1) {
    const uint32_t input = __builtin_ctz(left);
    able |= uint32_t(mayLeave(tile, input, ahead(tile, input))) << input;
  }
  if (!able)
    return;
  // The winner is the first one at or after `turn`, or else the first of all.
  const uint32_t turn = tile.outputs[tile.out[__builtin_ctz(able)]].turn;
  const uint32_t after = able >> turn << turn;
  const uint32_t winner =
      turnTime ? winnerByClock(able) : __builtin_ctz(after ? after : able);
  send(tile, winner);
  for (able &= ~(1u << winner); able; able &= able - 1) {
    const uint32_t loser = __builtin_ctz(able);
    tile.when[loser] = bound(tile, loser);
  }
}

/// Settles the inputs in `due` that want the same output as `input`.
inline void Mesh::arbitrateOutput(Tile &tile, uint32_t input, uint32_t due) {
  const uint32_t same = due & tile.wanted[tile.out[input]];
  if (same & (same - 1))
    arbitrateInputs(tile, same);
  else if (mayLeave(tile, input, ahead(tile, input)))
    send(tile, input);
}

/// Settles the requesters in `due`, which may move at `time`, as far as known.
/// Outputs do not know of each other: one is done before the next is looked at.
void Mesh::arbitrate(Tile &tile, uint32_t due) {
  for (uint32_t left = due & ~injectorBit; left;) {
    const uint32_t input = __builtin_ctz(left);
    const uint32_t others = left & ~tile.wanted[tile.out[input]];
    arbitrateOutput(tile, input, left);
    left = others;
  }
  if (due & injectorBit)
    arbitrateInjection(indexOf(tile));
  nexts[indexOf(tile)] = earliest(tile);
}

inline uint64_t Mesh::earliest(const Tile &tile) {
  const auto &when = tile.when;
  return std::min(
      std::min(std::min(when[0], when[1]), std::min(when[2], when[3])),
      std::min(when[4], when[5]));
}

/// Which of the tile's requesters may move at `time`.
inline uint32_t Mesh::dueAt(const Tile &tile) const {
  uint32_t later = 0;
  for (uint32_t requester = NumRequesters; requester-- > 0;)
    later = later + later + (time < tile.when[requester]);
  return ~later & (2 * injectorBit - 1);
}

/// Takes each tile of `batch` by itself through all that it does before `end`;
/// nothing of other tiles can become due meanwhile. What moves makes nothing
/// else due at the same instant, so that each output is a round of its own. How
/// often a tile moves cannot be predicted: all move once, then those that have
/// more to do.
void Mesh::runAlone(uint64_t end) {
  uint64_t last = time;
  for (size_t left = batch.size(), again; left; left = again) {
    again = 0;
    for (size_t i = 0; i < left; ++i) {
      const uint32_t index = batch[i];
      Tile &tile = tiles[index];
      time = nexts[index];
      last = std::max(last, time);
      ++round;
      const uint32_t due = dueAt(tile);
      const uint32_t first = __builtin_ctz(due);
      if (first == Injector)
        arbitrateInjection(index);
      else
        arbitrateOutput(tile, first, due);
      nexts[index] = earliest(tile);
      batch[again] = index;
      again += nexts[index] < end;
    }
  }
  time = last;
}

void Mesh::findDue() {
  dueNow.clear();
  for (uint32_t tile = firstTile; tile < endTile; ++tile)
    if (nexts[tile] == time)
      dueNow.emplace_back(tile, dueAt(tiles[tile]));
}

void Mesh::arbitrateInjection(uint32_t index) {
  Tile &tile = tiles[index];
  InjectionPort &port = injections[index];
  if (!tile.outputs[Local].ready(time, round)) {
    tile.when[Injector] = std::max(time, injectionBound(index));
    return;
  }
  const auto after = [&](uint32_t i) {
    return i + 1 == port.count ? 0 : i + 1;
  };
  uint32_t winner = port.turn;
  while (ready[port.first + winner] > time)
    winner = after(winner);
  port.turn = after(winner);
  winner += port.first;
  ready[winner] = never;
  port.nextSend = time + reads[Local];
  --port.offers;
  --offered;
  ++flying;
  const uint32_t endpoint = attached[winner];
  const uint32_t flit = endpoints[endpoint].offered;
  enter(tile, Local, {time + entry, flit, route(tile, routed[flit], 0)});
  accepting = index;
  listener.accepted(endpoint, time);
  accepting = UINT32_MAX;
  tile.when[Injector] = injectionBound(index);
}

} // namespace neurite::sim
