// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One round of a tile: which of the flits that wait in its router may leave,
// and which core may hand over its next one.

#include "simulator/timing/Mesh.h"

#include <algorithm>

namespace neurite::sim {

Mesh::Port Mesh::route(const Tile &tile, const Flit &flit) const {
  // By a table: where a flit turns cannot be predicted.
  static constexpr Port byDirection[3][3] = {
      {West, West, West}, {North, Local, South}, {East, East, East}};
  Place to = places[flit.destination];
  return byDirection[(to.x > tile.x) - (to.x < tile.x) + 1]
                    [(to.y > tile.y) - (to.y < tile.y) + 1];
}

/// Those of the tile's waiters that may move at `time`.
uint32_t Mesh::dueAt(const Tile &tile) const {
  uint32_t due = 0;
  for (uint32_t waiter = 0; waiter < NumWaiters; ++waiter)
    due |= uint32_t(tile.when[waiter] <= time) << waiter;
  return due;
}

void Mesh::settle(uint32_t tile) {
  const auto &when = tiles[tile].when;
  nexts[tile] =
      std::min({std::min(when[0], when[1]), std::min(when[2], when[3]),
                std::min(when[4], when[5])});
}

/// Of the buffer that the first flit of an input goes to.
Credits &Mesh::creditsFor(Tile &tile, uint32_t input) {
  const uint32_t port = tile.out[input];
  return port == Local
             ? endpoints[tile.inputs[input].fifo.front().flit.destination].slots
             : tile.outputs[port].credits;
}

/// Before this time the first flit of an input cannot leave, whatever happens.
uint64_t Mesh::bound(Tile &tile, uint32_t from) {
  const Input &input = tile.inputs[from];
  uint64_t at = std::max({input.fifo.front().arrival, input.nextRead,
                          tile.outputs[tile.out[from]].nextSend});
  return std::max(at, creditsFor(tile, from).next(at));
}

/// The same for the flits that cores offer.
uint64_t Mesh::injectionBound(Tile &tile) {
  const InjectionPort &port = tile.injection;
  if (port.offers == 0)
    return never;
  uint64_t at = *std::min_element(port.ready.begin(), port.ready.end());
  at = std::max(at, port.nextSend);
  return std::max(at, tile.outputs[Local].credits.next(at));
}

/// A flit has become the first of an input.
void Mesh::lead(uint32_t tile, uint32_t input) {
  Tile &here = tiles[tile];
  here.out[input] = route(here, here.inputs[input].fifo.front().flit);
  here.when[input] = bound(here, input);
}

/// A slot that flits through `port` of a tile were waiting for is on its way.
void Mesh::wakeInputs(uint32_t tile, uint32_t port) {
  Tile &here = tiles[tile];
  for (uint32_t input = 0; input < NumPorts; ++input)
    if (here.when[input] == never && !here.inputs[input].fifo.empty() &&
        here.out[input] == port)
      wake(tile, input, std::max(time, bound(here, input)));
}

/// `input` of a tile has a slot again.
void Mesh::giveBack(uint32_t tile, uint32_t input) {
  const uint32_t sender = tile - static_cast<uint32_t>(toNext[input]);
  Tile &from = tiles[sender];
  if (!from.outputs[input].credits.giveBack(later(returns[input]), time, round))
    return;
  if (input == Local)
    wake(sender, Injector, std::max(time, injectionBound(from)));
  else
    wakeInputs(sender, input);
}

void Mesh::arbitrate(uint32_t tile, uint32_t due) {
  Tile &here = tiles[tile];
  uint64_t requests = 0; // a byte by output, a bit by input
  for (uint32_t left = due & ~injectorBit; left; left &= left - 1) {
    const uint32_t input = __builtin_ctz(left);
    const uint64_t at = bound(here, input);
    if (at > time || !creditsFor(here, input).ready(time, round))
      here.when[input] = std::max(at, time);
    else
      requests |= uint64_t(1) << (8 * here.out[input] + input);
  }
  while (requests) {
    uint32_t port = __builtin_ctzll(requests) / 8;
    arbitrateOutput(tile, port, requests >> 8 * port & 31);
    requests &= ~(uint64_t(255) << 8 * port);
  }
  if (due & injectorBit)
    arbitrateInjection(tile);
  settle(tile);
}

/// One of the inputs, each of which could send.
void Mesh::arbitrateOutput(uint32_t tile, uint32_t port, uint32_t requests) {
  Tile &here = tiles[tile];
  Output &output = here.outputs[port];
  // The first one at or after `turn`, else the first one.
  uint32_t after = requests >> output.turn << output.turn;
  uint32_t input = __builtin_ctz(after ? after : requests);
  output.turn = input + 1 == NumPorts ? 0 : input + 1;
  send(tile, port, input);
  for (uint32_t left = requests & ~(1u << input); left; left &= left - 1) {
    const uint32_t loser = __builtin_ctz(left);
    here.when[loser] = bound(here, loser);
  }
}

void Mesh::send(uint32_t tile, uint32_t port, uint32_t from) {
  Tile &here = tiles[tile];
  Input &input = here.inputs[from];
  Output &output = here.outputs[port];
  Moving moving = input.fifo.pop();
  input.nextRead = later(ports[from].interval);
  output.nextSend = later(ports[port].interval);
  ++output.flits;
  output.waited += time - moving.arrival;

  if (port == Local) {
    endpoints[moving.flit.destination].slots.take();
    --flying;
  } else {
    output.credits.take();
    const uint32_t to = neighbour(tile, port);
    moving.flit.hopsEw += port >= East;
    moving.flit.hopsNs += port < East;
    moving.arrival = later(ports[port].forward);
    Ring<Moving> &fifo = tiles[to].inputs[port].fifo;
    fifo.push(moving);
    if (fifo.size() == 1) {
      lead(to, port);
      nexts[to] = std::min(nexts[to], tiles[to].when[port]);
    }
  }

  if (input.fifo.empty())
    here.when[from] = never;
  else
    lead(tile, from);
  giveBack(tile, from);
  if (port == Local)
    listener.ejected(moving.flit, later(ports[Local].eject));
}

void Mesh::arbitrateInjection(uint32_t tile) {
  Tile &here = tiles[tile];
  InjectionPort &port = here.injection;
  Credits &credits = here.outputs[Local].credits;
  const uint64_t at = injectionBound(here);
  if (at > time || !credits.ready(time, round)) {
    here.when[Injector] = std::max(at, time);
    return;
  }
  uint32_t winner = port.turn;
  while (port.ready[winner] > time)
    winner = winner + 1 == port.ready.size() ? 0 : winner + 1;
  const uint32_t endpoint = port.endpoints[winner];
  port.turn = winner + 1 == port.ready.size() ? 0 : winner + 1;
  port.ready[winner] = never;
  port.nextSend = later(ports[Local].interval);
  credits.take();
  --port.offers;
  --offered;
  ++flying;
  Ring<Moving> &fifo = here.inputs[Local].fifo;
  fifo.push({endpoints[endpoint].flit, later(entry)});
  if (fifo.size() == 1)
    lead(tile, Local);
  accepting = tile;
  listener.accepted(endpoint, time);
  accepting = UINT32_MAX;
  here.when[Injector] = injectionBound(here);
}

} // namespace neurite::sim
