// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/Mesh.h"

#include "simulator/timing/Time.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace neurite::sim {

static constexpr auto laterFirst = [](const auto &a, const auto &b) {
  return a.time > b.time;
};

static uint64_t alignUp(uint64_t when, uint64_t grid) {
  if (grid == 0 || when % grid == 0)
    return when;
  return plus(when, grid - when % grid);
}

Mesh::Mesh(const NocTiming &timing, uint32_t tilesX, uint32_t tilesY,
           const std::vector<Endpoint> &attached, MeshListener &listener)
    : width(tilesX), height(tilesY),
      grid(timing.grid), ports{timing.north, timing.south, timing.east,
                               timing.west, timing.local},
      listener(listener), inputs(numTiles() * NumPorts),
      outputs(numTiles() * NumPorts), injections(numTiles()),
      ejecting(numTiles()), tileEndpoints(numTiles()), columns(numTiles()),
      nextWake(numTiles(), never), awakeBits((numTiles() + 63) / 64) {
  for (PortTiming &port : ports)
    for (uint64_t *delay : {&port.forward, &port.credit, &port.interval,
                            &port.inject, &port.eject})
      *delay = alignUp(*delay, grid);
  for (uint32_t tile = 0; tile < numTiles(); ++tile) {
    columns[tile] = tile % width;
    for (uint32_t port = North; port < Local; ++port)
      outputs[tile * NumPorts + port].credits.reset(ports[port].buffer);
    injections[tile].credits.reset(ports[Local].buffer);
  }
  for (const Endpoint &endpoint : attached) {
    assert(endpoint.tile < numTiles() && "endpoint outside the mesh");
    tileEndpoints[endpoint.tile].push_back(endpoints.size());
    endpoints.emplace_back();
    endpoints.back().tile = endpoint.tile;
    endpoints.back().slots.reset(endpoint.slots);
  }
}

/// Time is on the grid already, and so are the delays of `ports`.
uint64_t Mesh::later(uint64_t delay) const { return plus(time, delay); }

uint32_t Mesh::neighbour(uint32_t tile, uint32_t port) const {
  switch (port) {
  case North:
    return tile - width;
  case South:
    return tile + width;
  case East:
    return tile + 1;
  default:
    return tile - 1;
  }
}

uint32_t Mesh::upstream(uint32_t tile, uint32_t port) const {
  // North and South, East and West are pairs of numbers that differ in bit 0.
  return neighbour(tile, port ^ 1u);
}

Mesh::Port Mesh::route(uint32_t tile, const Flit &flit) const {
  uint32_t to = endpoints[flit.destination].tile;
  uint32_t x = columns[tile], toX = columns[to];
  if (x != toX)
    return x < toX ? East : West;
  if (tile == to)
    return Local;
  return tile < to ? South : North;
}

void Mesh::offer(const Flit &flit, uint64_t when) {
  EndpointState &from = endpoints[flit.source];
  assert(!from.offering && "one offer at a time");
  from.offering = true;
  from.flit = flit;
  from.flit.hopsEw = from.flit.hopsNs = 0;
  from.ready = alignUp(when, grid);
  ++injections[from.tile].offers;
  ++offered;
  wake(from.tile, from.ready);
}

void Mesh::release(uint32_t endpoint, uint64_t when) {
  EndpointState &of = endpoints[endpoint];
  uint64_t usable = alignUp(plus(when, ports[Local].credit), grid);
  giveBack(of.slots, of.tile, usable);
}

void Mesh::giveBack(Credits &credits, uint32_t sender, uint64_t usable) {
  credits.giveBack(usable, round);
  if (!credits.starved)
    return;
  credits.starved = false;
  wake(sender, usable);
}

/// Sees to it that the tile is looked at again when a slot is there.
void Mesh::waitFor(Credits &credits, uint32_t tile) {
  uint64_t when = credits.next(time);
  if (when == never)
    credits.starved = true;
  else
    wake(tile, when);
}

void Mesh::wake(uint32_t tile, uint64_t when) {
  when = std::max(when, time);
  if (when >= nextWake[tile])
    return;
  nextWake[tile] = when;
  wakes.push_back({when, tile});
  std::push_heap(wakes.begin(), wakes.end(), laterFirst);
}

uint64_t Mesh::nextTime() const {
  uint64_t next = wakes.empty() ? never : wakes.front().time;
  for (const Ring<Due> &queue : arrivals)
    if (!queue.empty())
      next = std::min(next, queue.front().time);
  return next;
}

void Mesh::advance() {
  time = nextTime();
  assert(time != never && "nothing to do");
  // One instant may take several rounds when delays or intervals are zero: in
  // each, all arrivals come before all arbitration, and what arbitration
  // causes at the same instant belongs to the next round.
  do {
    ++round;
    batch.clear();
    for (Ring<Due> &queue : arrivals)
      while (!queue.empty() && queue.front().time == time)
        batch.push_back(queue.pop().what);
    if (reorder)
      reorder(batch);
    for (uint32_t what : batch)
      arrive(what);

    while (!wakes.empty() && wakes.front().time == time) {
      std::pop_heap(wakes.begin(), wakes.end(), laterFirst);
      uint32_t tile = wakes.back().what;
      wakes.pop_back();
      // An earlier wake has replaced the others of the tile.
      if (nextWake[tile] != time)
        continue;
      nextWake[tile] = never;
      markAwake(tile);
    }
    awake.clear();
    for (size_t word = 0; word < awakeBits.size(); ++word)
      for (; awakeBits[word]; awakeBits[word] &= awakeBits[word] - 1)
        awake.push_back(word * 64 + __builtin_ctzll(awakeBits[word]));
    if (reorder)
      reorder(awake);
    for (uint32_t tile : awake)
      arbitrate(tile);
  } while (nextTime() == time);
}

void Mesh::markAwake(uint32_t tile) {
  awakeBits[tile / 64] |= uint64_t(1) << tile % 64;
}

void Mesh::arrive(uint32_t what) {
  uint32_t tile = what / NumQueues, queue = what % NumQueues;
  if (queue == Ejection) {
    Flit flit = ejecting[tile].pop();
    --flying;
    listener.ejected(flit, time);
    return;
  }
  ++inputs[tile * NumPorts + queue].visible;
  markAwake(tile);
}

void Mesh::arbitrate(uint32_t tile) {
  std::array<uint32_t, NumPorts> requests{};
  for (uint32_t port = 0; port < NumPorts; ++port) {
    Input &input = inputs[tile * NumPorts + port];
    if (!input.visible)
      continue;
    if (input.nextRead > time)
      wake(tile, input.nextRead);
    else
      requests[route(tile, input.fifo.front().flit)] |= 1u << port;
  }
  for (uint32_t port = 0; port < NumPorts; ++port)
    if (requests[port])
      arbitrateOutput(tile, port, requests[port]);
  if (injections[tile].offers)
    arbitrateInjection(tile);
}

void Mesh::arbitrateOutput(uint32_t tile, uint32_t port, uint32_t requests) {
  Output &output = outputs[tile * NumPorts + port];
  if (output.nextSend > time)
    return wake(tile, output.nextSend);
  uint32_t able = requests;
  if (port == Local) {
    // Each core has a queue of its own: one that is full stops only its flits.
    for (uint32_t input = 0; input < NumPorts; ++input) {
      if (!(requests >> input & 1))
        continue;
      const Flit &flit = inputs[tile * NumPorts + input].fifo.front().flit;
      Credits &slots = endpoints[flit.destination].slots;
      if (slots.ready(time, round))
        continue;
      able &= ~(1u << input);
      waitFor(slots, tile);
    }
    if (!able)
      return;
  } else if (!output.credits.ready(time, round)) {
    return waitFor(output.credits, tile);
  }
  uint32_t input = output.turn;
  while (!(able >> input & 1))
    input = (input + 1) % NumPorts;
  output.turn = (input + 1) % NumPorts;
  send(tile, port, input);
  if (requests != 1u << input)
    wake(tile, output.nextSend);
  if (inputs[tile * NumPorts + input].visible)
    wake(tile, inputs[tile * NumPorts + input].nextRead);
}

void Mesh::send(uint32_t tile, uint32_t port, uint32_t from) {
  Input &input = inputs[tile * NumPorts + from];
  Output &output = outputs[tile * NumPorts + port];
  Entry entry = input.fifo.pop();
  --input.visible;
  input.nextRead = later(ports[from].interval);
  output.nextSend = later(ports[port].interval);
  ++output.flits;
  output.waited += time - entry.arrival;

  uint64_t usable = later(ports[from].credit);
  if (from == Local) {
    giveBack(injections[tile].credits, tile, usable);
  } else {
    uint32_t sender = upstream(tile, from);
    giveBack(outputs[sender * NumPorts + from].credits, sender, usable);
  }

  if (port == Local) {
    endpoints[entry.flit.destination].slots.take();
    ejecting[tile].push(entry.flit);
    arrivals[Ejection].push(
        {later(ports[Local].eject), tile * NumQueues + Ejection});
    return;
  }
  output.credits.take();
  ++(port == East || port == West ? entry.flit.hopsEw : entry.flit.hopsNs);
  uint32_t next = neighbour(tile, port);
  entry.arrival = later(ports[port].forward);
  inputs[next * NumPorts + port].fifo.push(entry);
  arrivals[port].push({entry.arrival, next * NumQueues + port});
}

void Mesh::arbitrateInjection(uint32_t tile) {
  InjectionPort &port = injections[tile];
  const std::vector<uint32_t> &here = tileEndpoints[tile];
  uint32_t ready = 0, winner = 0;
  // In the order of turns, so that the first one found is the next in line.
  uint32_t candidate = port.turn;
  for (uint32_t left = here.size(); left > 0; --left) {
    uint32_t at = candidate;
    candidate = candidate + 1 == here.size() ? 0 : candidate + 1;
    const EndpointState &endpoint = endpoints[here[at]];
    if (!endpoint.offering)
      continue;
    if (endpoint.ready > time)
      wake(tile, endpoint.ready);
    else if (ready++ == 0)
      winner = at;
  }
  if (!ready)
    return;
  if (port.nextSend > time)
    return wake(tile, port.nextSend);
  if (!port.credits.ready(time, round))
    return waitFor(port.credits, tile);

  EndpointState &endpoint = endpoints[here[winner]];
  port.turn = (winner + 1) % here.size();
  port.nextSend = later(ports[Local].interval);
  port.credits.take();
  --port.offers;
  --offered;
  endpoint.offering = false;
  ++flying;
  uint64_t arrival = later(ports[Local].inject);
  inputs[tile * NumPorts + Local].fifo.push({endpoint.flit, arrival});
  arrivals[Local].push({arrival, tile * NumQueues + Local});
  if (ready > 1)
    wake(tile, port.nextSend);
  listener.accepted(here[winner], time);
}

std::string
Mesh::whatWaits(const std::function<std::string(uint32_t)> &name) const {
  static const char *const names[] = {"north", "south", "east", "west",
                                      "local"};
  for (uint32_t tile = 0; tile < numTiles(); ++tile) {
    std::string place = "router (" + std::to_string(tile % width) + ", " +
                        std::to_string(tile / width) + ")";
    for (uint32_t port = 0; port < NumPorts; ++port) {
      const Input &input = inputs[tile * NumPorts + port];
      if (input.fifo.empty())
        continue;
      const Flit &flit = input.fifo.front().flit;
      return place + ", " + names[port] +
             " buffer: " + std::to_string(input.fifo.size()) +
             " flits wait for the " + names[route(tile, flit)] +
             " port, the first from " + name(flit.source) + " to " +
             name(flit.destination);
    }
    for (uint32_t endpoint : tileEndpoints[tile])
      if (endpoints[endpoint].offering)
        return place + ", injection port: " + name(endpoint) + " waits";
    if (!ejecting[tile].empty())
      return place + ", local port: " + std::to_string(ejecting[tile].size()) +
             " flits on their way to a core";
  }
  return "";
}

} // namespace neurite::sim
