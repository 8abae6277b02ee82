// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The making of a mesh. It takes flits and freed slots from outside, and
// decides which tiles move next.

#include "targets/mesh/FlitMesh.h"

#include "targets/mesh/MeshMoves.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string>

namespace dendrolith {

static uint64_t alignUp(uint64_t when, uint64_t grid) {
  if (grid == 0 || when % grid == 0)
    return when;
  return plus(when, grid - when % grid);
}

FlitMesh::FlitMesh(const NocTiming &timing, uint32_t tilesX, uint32_t tilesY,
                   const std::vector<Endpoint> &ends, MeshListener &listener,
                   uint32_t chipsX, uint32_t chipsY)
    : width(tilesX), height(tilesY), grid(timing.grid), turnTime(timing.turn),
      ports{timing.north, timing.south, timing.east,
            timing.west,  timing.local, timing.crossing},
      toNext{-int32_t(tilesX), int32_t(tilesX), 1, -1, 0}, lookahead(never),
      listener(listener), tiles(numTiles()), nexts(numTiles(), never),
      injections(numTiles()), endpoints(ends.size()) {
  for (PortTiming &port : ports)
    for (uint64_t *delay : {&port.forward, &port.credit, &port.interval,
                            &port.inject, &port.eject})
      *delay = alignUp(*delay, grid);
  // The flit that takes a slot at the port was handed over `inject` before, but
  // never before the slot was freed.
  const PortTiming &local = ports[Local];
  entry = plus(local.inject, local.forward);
  if (chipsX * chipsY == 1)
    ports[Crossing] = ports[East]; // Nothing has its times.
  for (uint32_t port = North; port < NumTimes; ++port) {
    forwards[port] = ports[port].forward;
    intervals[port] = ports[port].interval;
    returns[port] = ports[port].credit;
    reads[port] = turnTime ? turnTime : ports[port].interval;
  }
  returns[Local] -= std::min(local.credit, local.inject);
  longest = entry;
  for (const PortTiming &port : ports)
    longest = std::max(
        {longest, port.forward, port.credit, port.interval, port.eject});
  for (uint32_t port = North; port < NumTimes; ++port)
    if (port != Local)
      lookahead =
          std::min({lookahead, ports[port].forward, ports[port].credit});
  bool rounds = entry == 0; // whether one instant may take several
  for (const PortTiming &port : ports)
    rounds |= port.interval == 0;
  if (rounds)
    lookahead = 0;
  for (uint32_t tile = 0; tile < numTiles(); ++tile) {
    Tile &here = tiles[tile];
    here.place = {static_cast<uint16_t>(tile % width),
                  static_cast<uint16_t>(tile / width)};
    const uint32_t x = tile % width, y = tile / width;
    const uint32_t chipX = width / chipsX, chipY = height / chipsY;
    const bool leaves[] = {y % chipY == 0, (y + 1) % chipY == 0,
                           (x + 1) % chipX == 0, x % chipX == 0, false};
    for (uint32_t port = North; port < NumPorts; ++port) {
      Output &output = here.outputs[port];
      output.times = static_cast<uint16_t>(
          leaves[port] && chipsX * chipsY > 1 ? Crossing : port);
      output.reset(ports[output.times].buffer);
    }
    restart(here);
  }
  for (uint32_t i = 0; i < endpoints.size(); ++i) {
    assert(ends[i].tile < numTiles() && "endpoint outside the mesh");
    endpoints[i].tile = ends[i].tile;
    places.push_back(tiles[ends[i].tile].place);
    endpoints[i].takesAll = ends[i].slots == CreditBuffer::unlimited;
    if (!endpoints[i].takesAll)
      endpoints[i].queue.reset(ends[i].slots);
    attached.push_back(i);
  }
  std::stable_sort(attached.begin(), attached.end(), [&](auto a, auto b) {
    return endpoints[a].tile < endpoints[b].tile;
  });
  offers.resize(attached.size());
  for (uint32_t i = 0; i < attached.size(); ++i) {
    endpoints[attached[i]].place = i;
    InjectionPort &port = injections[endpoints[attached[i]].tile];
    if (port.count++ == 0)
      port.first = i;
  }
  // No route leaves the rows between the endpoints.
  if (!attached.empty()) {
    firstTile = endpoints[attached.front()].tile / width * width;
    endTile = (endpoints[attached.back()].tile / width + 1) * width;
  }
  order.resize(endTile - firstTile);
  std::iota(order.begin(), order.end(), firstTile);
}

/// Four at a time, because each minimum waits for the one before.
uint64_t FlitMesh::earliestOfAll() const {
  uint64_t first[4] = {never, never, never, never};
  uint32_t tile = firstTile;
  for (; tile + 4 <= endTile; tile += 4)
    for (uint32_t k = 0; k < 4; ++k)
      first[k] = std::min(first[k], nexts[tile + k]);
  for (; tile < endTile; ++tile)
    first[0] = std::min(first[0], nexts[tile]);
  return std::min(std::min(first[0], first[1]), std::min(first[2], first[3]));
}

/// A tile without flits becomes what it was at first.
void FlitMesh::restart(Tile &tile) {
  tile.soonest.fill(never);
  tile.injection = never;
  tile.turn.fill(0);
  for (uint32_t port = North; port < NumPorts; ++port) {
    Output &output = tile.outputs[port];
    output.freeAll();
    output.nextSend = output.nextRead = 0;
    // A buffer may have no slots. That behind the local port is the cores'.
    tile.open[port] = port == Local ? 0 : output.next();
  }
}

void FlitMesh::restart() {
  assert(idle() && "a flit would be lost");
  for (Tile &tile : tiles)
    restart(tile);
  for (InjectionPort &port : injections)
    port = {never, 0, port.first, port.count, 0};
  for (EndpointState &endpoint : endpoints)
    endpoint.queue.freeAll();
  time = 0;
}

/// A flit goes on as it came, or turns from x to y, so that an output has few
/// inputs; at the edges some lead from nowhere.
std::vector<uint32_t> FlitMesh::turns() const {
  std::vector<uint32_t> all;
  all.reserve(tiles.size() * (NumPorts + 1));
  for (uint32_t i = 0; i < numTiles(); ++i) {
    const Tile &tile = tiles[i];
    const InjectionPort &injection = injections[i];
    const auto bit = [](uint32_t port, bool there) { return there << port; };
    const uint32_t along = bit(East, tile.place[0] > 0) |
                           bit(West, tile.place[0] + 1u < width),
                   local = bit(Local, injection.count > 0),
                   across = bit(North, tile.place[1] + 1u < height) |
                            bit(South, tile.place[1] > 0);
    for (uint32_t port = North; port < NumPorts; ++port) {
      const uint32_t inputs =
          local | (port == Local ? along | across
                   : port < East ? along | (across & 1u << port)
                                 : along & 1u << port);
      const uint32_t after = inputs >> tile.turn[port] << tile.turn[port];
      all.push_back(inputs ? __builtin_ctz(after ? after : inputs) : 0);
    }
    all.push_back(injection.count ? injection.turn % injection.count : 0);
  }
  return all;
}

void FlitMesh::turnTo(const std::vector<uint32_t> &all) {
  auto next = all.begin();
  for (uint32_t i = 0; i < numTiles(); ++i) {
    for (uint32_t port = North; port < NumPorts; ++port)
      tiles[i].turn[port] = static_cast<uint8_t>(*next++);
    injections[i].turn = *next++;
  }
}

void FlitMesh::turnBehind(uint32_t endpoint) {
  const EndpointState &of = endpoints[endpoint];
  InjectionPort &port = injections[of.tile];
  port.turn = of.place + 1 - port.first;
}

void FlitMesh::forgetLinks() {
  for (Tile &tile : tiles)
    for (Output &output : tile.outputs)
      output.link = {};
}

uint64_t FlitMesh::beginFrom(uint64_t when) const {
  const uint64_t clock = std::max<uint64_t>(grid, 1);
  const uint64_t turns = std::max<uint64_t>(times(turnTime, NumPorts), 1);
  return alignUp(when, times(clock / std::gcd(clock, turns), turns));
}

void FlitMesh::offer(const Flit &flit, uint64_t when) {
  EndpointState &from = endpoints[flit.source];
  const uint32_t place = newFlit();
  flits[place] = flit;
  flits[place].hops = {};
  if (multicast)
    destinations[place] = {};
  announce(from, routeTo(place, tiles[from.tile]), when);
}

/// A place in `flits` for one flit more.
uint32_t FlitMesh::newFlit() {
  if (unused.empty()) {
    if (flits.size() == FlitRoute::mostFlits)
      throw Error("mesh: expected fewer than 2^28 flits in flight");
    unused.push_back(flits.size());
    flits.emplace_back();
    if (multicast)
      destinations.emplace_back();
  }
  const uint32_t place = unused.back();
  unused.pop_back();
  return place;
}

/// The way of a flit to its destination from a tile.
FlitRoute FlitMesh::routeTo(uint32_t flit, const Tile &from) const {
  const auto &here = from.place;
  const auto &there = places[flits[flit].destination];
  return {flit, there[0] - here[0], there[1] - here[1]};
}

/// The endpoint's flit is ready at `when`.
void FlitMesh::announce(EndpointState &from, FlitRoute route, uint64_t when) {
  const uint64_t at = alignUp(when, grid);
  assert(offers[from.place].ready == never && "one offer at a time");
  offers[from.place] = {at, route};
  ++offered;
  if (from.tile == accepting)
    return;
  Tile &tile = tiles[from.tile];
  InjectionPort &port = injections[from.tile];
  port.soonest = std::min(port.soonest, std::max(at, port.nextSend));
  tile.injection = std::max(port.soonest, tile.outputs[Local].next());
  nexts[from.tile] = std::min(nexts[from.tile], tile.injection);
  next = std::min(next, tile.injection);
}

void FlitMesh::release(uint32_t endpoint, uint64_t when) {
  EndpointState &of = endpoints[endpoint];
  uint64_t usable = alignUp(plus(when, ports[Local].credit), grid);
  if (of.takesAll)
    return;
  const bool full = of.queue.full();
  of.queue.leave(usable);
  if (full)
    wakeInputs(tiles[of.tile], Local);
}

/// One instant may take several rounds when delays or intervals are zero. What
/// is due in a round is settled before anything moves in it: what that causes
/// at the same instant belongs to the next round, so that no order shows.
void FlitMesh::advance() {
  if (lookahead && !reorder)
    return advanceUntil(next + 1);
  const uint64_t now = time = next;
  assert(now != never && "nothing to do");
  plus(now, longest);
  do {
    findDue();
    if (reorder)
      shuffleDue();
    for (auto [tile, due] : dueNow)
      arbitrate(tiles[tile], due);
    next = earliestOfAll();
  } while (next == now);
}

void FlitMesh::advanceUntil(uint64_t end) {
  while (next < end) {
    if (lookahead == 0) {
      advance();
      continue;
    }
    const uint64_t until = end - next > lookahead ? next + lookahead : end;
    if (reorder)
      reorder(order);
    plus(until == never ? next : until, longest);
    runWindow(until);
    next = earliestOfAll();
  }
}

// One round of a tile: which of the flits that wait in its router may leave,
// and which core may hand over its next one.

/// Which of several inputs is served where the turn goes round by the clock:
/// local, then from the south, the north, the east and the west.
uint32_t FlitMesh::winnerByClock(uint32_t able, uint64_t now) const {
  static constexpr uint32_t order[] = {Local, North, South, West, East};
  uint32_t at = now / turnTime % NumPorts;
  while (!(able >> order[at] & 1))
    at = (at + 1) % NumPorts;
  return order[at];
}

/// Settles the requesters in `due`, which may move at `time`. Outputs do not
/// know of each other: one is done before the next is looked at.
void FlitMesh::arbitrate(Tile &tile, uint32_t due) {
  for (uint32_t left = due & ~Tile::injectorBit; left;) {
    const uint32_t port = tile.out[__builtin_ctz(left)];
    const uint32_t inputs = left & tile.wanting(port);
    left &= ~inputs;
    settle</*plain=*/false>(tile, indexOf(tile), port, inputs, time);
  }
  if (due & Tile::injectorBit)
    inject(tile, indexOf(tile), time);
  nexts[indexOf(tile)] = tile.earliest();
}

void FlitMesh::findDue() {
  dueNow.clear();
  for (uint32_t tile = firstTile; tile < endTile; ++tile)
    if (nexts[tile] == time)
      dueNow.emplace_back(tile, tiles[tile].dueAt(time));
}

/// Settles routers and injection ports by themselves, in an order that tests
/// choose.
void FlitMesh::shuffleDue() {
  batch.clear();
  for (auto [tile, due] : dueNow)
    for (uint32_t part : {due & ~Tile::injectorBit, due & Tile::injectorBit})
      if (part)
        batch.push_back(tile * (Tile::injectorBit << 1) + part);
  reorder(batch);
  dueNow.clear();
  for (uint32_t one : batch)
    dueNow.emplace_back(one / (Tile::injectorBit << 1),
                        one % (Tile::injectorBit << 1));
}

// What waits in a mesh, until when (as far as known), and what a slot wakes
// that is on its way: these are the paths that traffic below saturation does
// not take.

/// There is room again behind `port` of a tile, which was full: its inputs'
/// flits may have waited for that.
void FlitMesh::wakeInputs(Tile &tile, uint32_t port) {
  const Output &output = tile.outputs[port];
  if (port != Local)
    tile.open[port] = std::max(output.nextSend, output.next());
  else
    for (uint32_t left = tile.wanting(Local); left; left &= left - 1) {
      const uint32_t from = __builtin_ctz(left);
      const Output &input = inputOf(tile, from);
      if (input.empty())
        continue;
      tile.soonest[from] = std::max({input.front().time, input.nextRead, time,
                                     destinationOf(tile, from).room()});
    }
  uint64_t &first = nexts[indexOf(tile)];
  first = tile.earliest();
  next = std::min(next, first);
}

/// Wakes what sends to `input` of a tile, which was full and has a slot again.
void FlitMesh::wakeSender(Tile &tile, uint32_t input) {
  if (input != Local)
    return wakeInputs(*(&tile - toNext[input]), input);
  tile.injection =
      std::max(injections[indexOf(tile)].soonest, tile.outputs[Local].next());
}

std::string
FlitMesh::whatWaits(const std::function<std::string(uint32_t)> &name) const {
  static const char *const names[] = {"north", "south", "east", "west",
                                      "local"};
  for (uint32_t tile = 0; tile < numTiles(); ++tile) {
    std::string place = "router (" + std::to_string(tile % width) + ", " +
                        std::to_string(tile / width) + ")";
    for (uint32_t port = 0; port < NumPorts; ++port) {
      const uint32_t sender = tile - static_cast<uint32_t>(toNext[port]);
      if (sender >= numTiles() || tiles[sender].outputs[port].empty())
        continue;
      const CreditBuffer &buffer = tiles[sender].outputs[port];
      const Flit &flit = flits[buffer.front().route.flit()];
      return place + ", " + names[port] +
             " buffer: " + std::to_string(buffer.size()) +
             " flits wait for the " + names[tiles[tile].out[port]] +
             " port, the first from " + name(flit.source) + " to " +
             name(flit.destination);
    }
    const InjectionPort &port = injections[tile];
    for (uint32_t i = port.first; i < port.first + port.count; ++i)
      if (offers[i].ready != never)
        return place + ", injection port: " + name(attached[i]) + " waits";
  }
  return "";
}

} // namespace dendrolith
