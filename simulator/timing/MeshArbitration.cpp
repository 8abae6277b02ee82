// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One round of a tile: which of the flits that wait in its router may leave,
// and which core may hand over its next one. Everything here runs several times
// for each message, so that sums of times are not checked: advance() has made
// sure that none can wrap.

#include "simulator/timing/Mesh.h"

#include <algorithm>

namespace neurite::sim {

inline Mesh::Port Mesh::route(const Tile &tile, const Flit &flit) const {
  // By a table: where a flit turns cannot be predicted.
  static constexpr Port byDirection[3][3] = {
      {West, West, West}, {North, Local, South}, {East, East, East}};
  Place to = places[flit.destination];
  return byDirection[(to.x > tile.x) - (to.x < tile.x) + 1]
                    [(to.y > tile.y) - (to.y < tile.y) + 1];
}

/// Before this time the first flit of an input cannot leave, however many slots
/// there are.
inline uint64_t Mesh::soonest(const Tile &tile, uint32_t from) const {
  const Input &input = tile.inputs[from];
  return std::max({input.fifo.front().arrival, input.nextRead,
                   tile.outputs[tile.out[from]].nextSend});
}

/// The same with those that are known of.
uint64_t Mesh::bound(const Tile &tile, uint32_t from) const {
  const uint64_t at = soonest(tile, from);
  return std::max(at, tile.credits[from]->next(at));
}

/// bound() for the flits that cores offer.
uint64_t Mesh::injectionBound(Tile &tile) const {
  const InjectionPort &port = tile.injection;
  if (port.offers == 0)
    return never;
  uint64_t at = *std::min_element(port.ready.begin(), port.ready.end());
  at = std::max(at, port.nextSend);
  return std::max(at, tile.outputs[Local].credits.next(at));
}

/// A flit has become the first of an input.
inline void Mesh::lead(Tile &tile, uint32_t input) {
  const Flit &flit = tile.inputs[input].fifo.front().flit;
  const Port port = route(tile, flit);
  tile.out[input] = port;
  tile.wanted[port] |= 1u << input;
  Credits *const queue = &endpoints[flit.destination].slots;
  Credits *const buffer = &tile.outputs[port].credits;
  tile.credits[input] = port == Local ? queue : buffer;
  tile.when[input] = soonest(tile, input);
}

/// A slot that flits through `port` of a tile were waiting for is on its way.
void Mesh::wakeInputs(Tile &tile, uint32_t port) {
  for (uint32_t left = tile.wanted[port]; left; left &= left - 1) {
    const uint32_t input = __builtin_ctz(left);
    if (tile.when[input] == never)
      wake(tile, input, std::max(time, bound(tile, input)));
  }
}

/// `input` of a tile has a slot again.
inline void Mesh::giveBack(Tile &tile, uint32_t input) {
  Tile &sender = *(&tile - toNext[input]);
  if (!sender.outputs[input].credits.giveBack(time + returns[input], time,
                                              round))
    return;
  if (input == Local)
    wake(sender, Injector, std::max(time, injectionBound(sender)));
  else
    wakeInputs(sender, input);
}

/// The first flit of an input has been copied to where it goes.
inline void Mesh::leave(Tile &tile, uint32_t from) {
  Input &input = tile.inputs[from];
  input.fifo.drop();
  tile.wanted[tile.out[from]] &= ~(1u << from);
  if (input.fifo.empty())
    tile.when[from] = never;
  else
    lead(tile, from);
  giveBack(tile, from);
}

/// The first flit of an input, which may leave.
void Mesh::send(Tile &tile, uint32_t from) {
  const uint32_t port = tile.out[from];
  Input &input = tile.inputs[from];
  Output &output = tile.outputs[port];
  const Moving &first = input.fifo.front();
  tile.credits[from]->take();
  output.turn = from + 1 == NumPorts ? 0 : from + 1;
  input.nextRead = time + ports[from].interval;
  output.nextSend = time + ports[port].interval;
  ++output.flits;
  output.waited += time - first.arrival;

  if (port == Local) {
    const Flit arrived = first.flit;
    --flying;
    leave(tile, from);
    return listener.ejected(arrived, time + ports[Local].eject);
  }
  Tile &next = *(&tile + toNext[port]);
  Ring<Moving> &fifo = next.inputs[port].fifo;
  Moving &moved = fifo.push(first);
  moved.flit.hopsEw += port >= East;
  moved.flit.hopsNs += port < East;
  moved.arrival = time + ports[port].forward;
  if (fifo.size() == 1) {
    lead(next, port);
    nexts[next.index] = std::min(nexts[next.index], next.when[port]);
  }
  leave(tile, from);
}

/// Whether the first flit of an input may leave; notes when, if not.
inline bool Mesh::mayLeave(Tile &tile, uint32_t input) {
  if (tile.outputs[tile.out[input]].nextSend <= time &&
      tile.credits[input]->ready(time, round))
    return true;
  tile.when[input] = std::max(time, bound(tile, input));
  return false;
}

/// Of several inputs with the same output one leaves.
void Mesh::arbitrateInputs(Tile &tile, uint32_t inputs) {
  uint32_t able = 0;
  for (uint32_t left = inputs; left; left &= left - 1) {
    const uint32_t input = __builtin_ctz(left);
    able |= uint32_t(mayLeave(tile, input)) << input;
  }
  if (!able)
    return;
  // The first one at or after `turn`, else the first one.
  const uint32_t turn = tile.outputs[tile.out[__builtin_ctz(able)]].turn;
  const uint32_t after = able >> turn << turn;
  const uint32_t winner = __builtin_ctz(after ? after : able);
  send(tile, winner);
  for (able &= ~(1u << winner); able; able &= able - 1) {
    const uint32_t loser = __builtin_ctz(able);
    tile.when[loser] = bound(tile, loser);
  }
}

/// The waiters in `due` may move at `time`, as far as known.
void Mesh::arbitrate(Tile &tile, uint32_t due) {
  // Outputs do not know of each other: one is done before the next is looked
  // at.
  for (uint32_t left = due & ~injectorBit; left;) {
    const uint32_t input = __builtin_ctz(left);
    const uint32_t same = left & tile.wanted[tile.out[input]];
    left &= ~same;
    if (same & (same - 1))
      arbitrateInputs(tile, same);
    else if (mayLeave(tile, input))
      send(tile, input);
  }
  if (due & injectorBit)
    arbitrateInjection(tile);
  const auto &when = tile.when;
  nexts[tile.index] =
      std::min(std::min(std::min(when[0], when[1]), std::min(when[2], when[3])),
               std::min(when[4], when[5]));
}

/// Those of the tile's waiters that may move at `time`.
inline uint32_t Mesh::dueAt(const Tile &tile) const {
  uint32_t due = 0;
  for (uint32_t waiter = 0; waiter < NumWaiters; ++waiter)
    due |= uint32_t(tile.when[waiter] <= time) << waiter;
  return due;
}

/// All instants of one tile before `end`: nothing of other tiles can be due.
void Mesh::runAlone(Tile &tile, uint64_t end) {
  for (uint64_t at; (at = nexts[tile.index]) < end;) {
    time = at;
    ++round;
    arbitrate(tile, dueAt(tile));
  }
}

void Mesh::findDue() {
  dueNow.clear();
  for (uint32_t tile = 0; tile < nexts.size(); ++tile)
    if (nexts[tile] == time)
      dueNow.emplace_back(tile, dueAt(tiles[tile]));
}

void Mesh::arbitrateInjection(Tile &tile) {
  InjectionPort &port = tile.injection;
  Credits &credits = tile.outputs[Local].credits;
  const uint64_t at = injectionBound(tile);
  if (at > time || !credits.ready(time, round)) {
    tile.when[Injector] = std::max(at, time);
    return;
  }
  const uint32_t all = port.ready.size();
  uint32_t winner = port.turn;
  while (port.ready[winner] > time)
    winner = winner + 1 == all ? 0 : winner + 1;
  const uint32_t endpoint = port.endpoints[winner];
  port.turn = winner + 1 == all ? 0 : winner + 1;
  port.ready[winner] = never;
  port.nextSend = time + ports[Local].interval;
  credits.take();
  --port.offers;
  --offered;
  ++flying;
  Ring<Moving> &fifo = tile.inputs[Local].fifo;
  fifo.push({endpoints[endpoint].flit, time + entry});
  if (fifo.size() == 1)
    lead(tile, Local);
  accepting = &tile;
  listener.accepted(endpoint, time);
  accepting = nullptr;
  tile.when[Injector] = injectionBound(tile);
}

} // namespace neurite::sim
