// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/Mesh.h"

#include "simulator/timing/Time.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace neurite::sim {

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
      toNext{-int32_t(tilesX), int32_t(tilesX), 1, -1, 0}, listener(listener),
      tiles(numTiles()), alarms(2 * numTiles()),
      awakeBits((2 * numTiles() + 63) / 64) {
  for (PortTiming &port : ports)
    for (uint64_t *delay : {&port.forward, &port.credit, &port.interval,
                            &port.inject, &port.eject})
      *delay = alignUp(*delay, grid);
  // The flit that takes a slot at the port was handed over `inject` before, but
  // never before the slot was freed.
  const PortTiming &local = ports[Local];
  entry = plus(local.inject, local.forward);
  for (uint32_t port = North; port < NumPorts; ++port)
    returns[port] = ports[port].credit;
  returns[Local] -= std::min(local.credit, local.inject);
  std::vector<uint64_t> delays;
  auto queueOf = [&](uint64_t delay) {
    auto found = std::find(delays.begin(), delays.end(), delay);
    if (found == delays.end())
      found = delays.insert(delays.end(), delay);
    return static_cast<uint32_t>(found - delays.begin());
  };
  for (uint32_t port = North; port < NumPorts; ++port) {
    forwardQueue[port] = queueOf(port == Local ? entry : ports[port].forward);
    intervalQueue[port] = queueOf(ports[port].interval);
  }
  offerQueue = delays.size();
  numQueues = offerQueue + 1;
  due.fill(never);
  for (uint32_t tile = 0; tile < numTiles(); ++tile) {
    Tile &here = tiles[tile];
    here.x = static_cast<uint16_t>(tile % width);
    here.y = static_cast<uint16_t>(tile / width);
    for (uint32_t port = North; port < NumPorts; ++port)
      here.outputs[port].credits.reset(ports[port].buffer);
  }
  for (const Endpoint &endpoint : attached) {
    assert(endpoint.tile < numTiles() && "endpoint outside the mesh");
    Tile &tile = tiles[endpoint.tile];
    tile.injection.endpoints.push_back(endpoints.size());
    tile.injection.ready.push_back(never);
    places.push_back({tile.x, tile.y});
    endpoints.emplace_back();
    endpoints.back().tile = endpoint.tile;
    endpoints.back().turn = tile.injection.endpoints.size() - 1;
    endpoints.back().slots.reset(endpoint.slots);
  }
}

/// Time is on the grid already, and so are the delays of `ports`.
uint64_t Mesh::later(uint64_t delay) const { return plus(time, delay); }

Mesh::Port Mesh::route(const Tile &tile, Number flit) const {
  // By a table: where a flit turns cannot be predicted.
  static constexpr Port byDirection[3][3] = {
      {West, West, West}, {North, Local, South}, {East, East, East}};
  Place to = places[pool[flit].flit.destination];
  return byDirection[(to.x > tile.x) - (to.x < tile.x) + 1]
                    [(to.y > tile.y) - (to.y < tile.y) + 1];
}

Mesh::Number Mesh::store(const Flit &flit) {
  if (unused.empty()) {
    unused.push_back(pool.size());
    pool.emplace_back();
  }
  Number number = unused.back();
  unused.pop_back();
  pool[number].flit = flit;
  return number;
}

void Mesh::offer(const Flit &flit, uint64_t when) {
  EndpointState &from = endpoints[flit.source];
  InjectionPort &port = tiles[from.tile].injection;
  const uint64_t ready = alignUp(when, grid);
  assert(port.ready[from.turn] == never && "one offer at a time");
  port.ready[from.turn] = ready;
  from.flit = flit;
  from.flit.hopsEw = from.flit.hopsNs = 0;
  ++port.offers;
  ++offered;
  if (from.tile == accepting)
    return;
  uint64_t look = std::max(ready, port.nextSend);
  if (look < lastOffer)
    return wake(injector(from.tile), look);
  lastOffer = look;
  schedule(offerQueue, look, from.tile * Kinds + Injector);
}

void Mesh::release(uint32_t endpoint, uint64_t when) {
  EndpointState &of = endpoints[endpoint];
  uint64_t usable = alignUp(plus(when, ports[Local].credit), grid);
  giveBack(of.slots, router(of.tile), usable);
}

void Mesh::giveBack(Credits &credits, uint32_t sleeper, uint64_t usable) {
  credits.giveBack(usable, time, round);
  if (!credits.starved)
    return;
  credits.starved = false;
  wake(sleeper, usable);
}

/// Sees to it that the sleeper is looked at again when a slot is there.
void Mesh::waitFor(Credits &credits, uint32_t sleeper) {
  uint64_t when = credits.next(time);
  if (when == never)
    credits.starved = true;
  else
    wake(sleeper, when);
}

void Mesh::wake(uint32_t sleeper, uint64_t when) {
  when = std::max(when, time);
  if (when >= alarms.of(sleeper))
    return;
  alarms.set(sleeper, when);
  next = std::min(next, when);
}

void Mesh::schedule(uint32_t queue, uint64_t when, uint32_t what) {
  Ring<Due> &of = queues[queue];
  if (of.empty())
    due[queue] = when;
  next = std::min(next, when);
  of.push({when, what});
}

/// Something at the router waits for the interval of a port that begins now.
void Mesh::pace(uint32_t tile, uint32_t port, uint64_t when) {
  if (tiles[tile].pacedAt == when)
    return;
  tiles[tile].pacedAt = when;
  schedule(intervalQueue[port], when, tile * Kinds + Router);
}

/// Sees to it that the router is looked at again when an interval ends.
void Mesh::waitUntil(uint32_t tile, uint64_t when) {
  if (tiles[tile].pacedAt != when)
    wake(router(tile), when);
}

uint64_t Mesh::earliest() const {
  uint64_t first = alarms.earliest();
  for (uint32_t queue = 0; queue < numQueues; ++queue)
    first = std::min(first, due[queue]);
  return first;
}

void Mesh::advance() {
  time = next;
  assert(time != never && "nothing to do");
  // One instant may take several rounds when delays or intervals are zero: in
  // each, all arrivals come before all arbitration, and what arbitration
  // causes at the same instant belongs to the next round.
  do {
    ++round;
    // A mask and not a branch for each: which one is due cannot be predicted.
    uint32_t dueNow = 0;
    for (uint32_t queue = 0; queue < numQueues; ++queue)
      dueNow |= uint32_t(due[queue] == time) << queue;
    const bool alarm = alarms.earliest() == time;
    const uint32_t first = __builtin_ctz(dueNow | 1u << MostQueues);
    if (!alarm && dueNow == 1u << first && queues[first].size() > 1 &&
        queues[first].second().time != time && !reorder) {
      // The rule where nothing is clocked: one thing at a time.
      uint32_t what = queues[first].pop().what;
      due[first] = queues[first].front().time;
      happenAlone(what);
    } else {
      happenAll(dueNow);
      while (alarms.earliest() == time)
        markAwake(alarms.pop());
      arbitrateAll();
    }
    next = earliest();
  } while (next == time);
}

void Mesh::arbitrateAll() {
  if (!reorder) {
    // Nothing wakes in this round any more.
    for (size_t word = 0; word < awakeBits.size(); ++word) {
      uint64_t bits = awakeBits[word];
      awakeBits[word] = 0;
      for (; bits; bits &= bits - 1)
        arbitrateOne(word * 64 + __builtin_ctzll(bits));
    }
    return;
  }
  batch.clear();
  for (size_t word = 0; word < awakeBits.size(); ++word)
    for (; awakeBits[word]; awakeBits[word] &= awakeBits[word] - 1)
      batch.push_back(word * 64 + __builtin_ctzll(awakeBits[word]));
  reorder(batch);
  for (uint32_t sleeper : batch)
    arbitrateOne(sleeper);
}

void Mesh::arbitrateOne(uint32_t sleeper) {
  if (sleeper % 2)
    arbitrateInjection(sleeper / 2);
  else
    arbitrate(sleeper / 2);
}

void Mesh::happenAll(uint32_t dueNow) {
  batch.clear();
  for (; dueNow; dueNow &= dueNow - 1) {
    const uint32_t queue = __builtin_ctz(dueNow);
    Ring<Due> &of = queues[queue];
    do {
      uint32_t what = of.pop().what;
      if (reorder)
        batch.push_back(what);
      else
        happen(what);
    } while (!of.empty() && of.front().time == time);
    due[queue] = of.empty() ? never : of.front().time;
  }
  if (reorder)
    reorder(batch);
  for (uint32_t what : batch)
    happen(what);
}

/// A flit is there. False if one before it is, which has been looked at.
bool Mesh::arrive(Tile &tile, uint32_t port) {
  if (tile.visible[port]++)
    return false;
  tile.out[port] = route(tile, tile.inputs[port].fifo.front());
  tile.occupied |= 1u << port;
  return true;
}

void Mesh::happen(uint32_t what) {
  const uint32_t tile = what / Kinds, kind = what % Kinds;
  Tile &here = tiles[tile];
  if (kind == Injector)
    return markAwake(injector(tile));
  if (kind == Router && here.pacedAt == time)
    here.pacedAt = never;
  if (kind == Router || arrive(here, kind))
    markAwake(router(tile));
}

/// The only thing in a round: no need to gather who is awake.
void Mesh::happenAlone(uint32_t what) {
  const uint32_t tile = what / Kinds, kind = what % Kinds;
  Tile &here = tiles[tile];
  if (kind == Injector)
    return arbitrateInjection(tile);
  if (kind == Router) {
    if (here.pacedAt == time)
      here.pacedAt = never;
    return arbitrate(tile);
  }
  if (!arrive(here, kind))
    return;
  // Others that wait in this router wait for something that has not happened.
  if (here.inputs[kind].nextRead > time)
    return waitUntil(tile, here.inputs[kind].nextRead);
  arbitrateOutput(tile, here.out[kind], 1u << kind);
}

void Mesh::arbitrate(uint32_t tile) {
  Tile &here = tiles[tile];
  uint64_t requests = 0; // a byte by output, a bit by input
  for (uint32_t left = here.occupied; left; left &= left - 1) {
    uint32_t port = __builtin_ctz(left);
    uint64_t nextRead = here.inputs[port].nextRead;
    if (nextRead > time)
      waitUntil(tile, nextRead);
    else
      requests |= uint64_t(1) << (8 * here.out[port] + port);
  }
  while (requests) {
    uint32_t port = __builtin_ctzll(requests) / 8;
    arbitrateOutput(tile, port, requests >> 8 * port & 31);
    requests &= ~(uint64_t(255) << 8 * port);
  }
}

void Mesh::arbitrateOutput(uint32_t tile, uint32_t port, uint32_t requests) {
  Tile &here = tiles[tile];
  Output &output = here.outputs[port];
  if (output.nextSend > time) {
    waitUntil(tile, output.nextSend);
    return;
  }
  uint32_t able = requests;
  if (port == Local) {
    // Each core has a queue of its own: one that is full stops only its flits.
    for (uint32_t left = requests; left; left &= left - 1) {
      uint32_t input = __builtin_ctz(left);
      const Moving &first = pool[here.inputs[input].fifo.front()];
      Credits &slots = endpoints[first.flit.destination].slots;
      if (slots.ready(time, round))
        continue;
      able &= ~(1u << input);
      waitFor(slots, router(tile));
    }
    if (!able)
      return;
  } else if (!output.credits.ready(time, round)) {
    return waitFor(output.credits, router(tile));
  }
  // The first one at or after `turn`, else the first one.
  uint32_t after = able >> output.turn << output.turn;
  uint32_t input = __builtin_ctz(after ? after : able);
  output.turn = input + 1 == NumPorts ? 0 : input + 1;
  send(tile, port, input);
  if (requests != 1u << input)
    pace(tile, port, output.nextSend);
}

void Mesh::send(uint32_t tile, uint32_t port, uint32_t from) {
  Tile &here = tiles[tile];
  Input &input = here.inputs[from];
  Output &output = here.outputs[port];
  const Number number = input.fifo.pop();
  Moving &moving = pool[number];
  input.nextRead = later(ports[from].interval);
  output.nextSend = later(ports[port].interval);
  ++output.flits;
  output.waited += time - moving.arrival;

  if (port == Local) {
    endpoints[moving.flit.destination].slots.take();
    --flying;
  } else {
    output.credits.take();
    uint32_t next = neighbour(tile, port);
    moving.flit.hopsEw += port >= East;
    moving.flit.hopsNs += port < East;
    moving.arrival = later(ports[port].forward);
    tiles[next].inputs[port].fifo.push(number);
    schedule(forwardQueue[port], moving.arrival, next * Kinds + port);
  }

  if (--here.visible[from]) {
    here.out[from] = route(here, input.fifo.front());
    pace(tile, from, input.nextRead);
  } else {
    here.occupied &= ~(1u << from);
  }
  uint32_t sender = tile - static_cast<uint32_t>(toNext[from]);
  giveBack(tiles[sender].outputs[from].credits,
           from == Local ? injector(sender) : router(sender),
           later(returns[from]));
  if (port == Local) {
    listener.ejected(moving.flit, later(ports[Local].eject));
    unused.push_back(number);
  }
}

void Mesh::arbitrateInjection(uint32_t tile) {
  InjectionPort &port = tiles[tile].injection;
  if (port.nextSend > time)
    return; // looked at again then, if there are offers
  // In the order of turns, so that the first one found is the next in line.
  const uint32_t all = port.ready.size();
  uint32_t winner = all;
  uint64_t soonest = never;
  for (uint32_t left = all, at = port.turn; left > 0; --left) {
    uint64_t ready = port.ready[at];
    if (ready <= time) {
      winner = at;
      break;
    }
    soonest = std::min(soonest, ready);
    at = at + 1 == all ? 0 : at + 1;
  }
  if (winner == all) {
    if (soonest != never)
      wake(injector(tile), soonest);
    return;
  }
  Credits &credits = tiles[tile].outputs[Local].credits;
  if (!credits.ready(time, round))
    return waitFor(credits, injector(tile));

  const uint32_t endpoint = port.endpoints[winner];
  port.turn = winner + 1 == all ? 0 : winner + 1;
  port.ready[winner] = never;
  port.nextSend = later(ports[Local].interval);
  credits.take();
  --port.offers;
  --offered;
  ++flying;
  Number number = store(endpoints[endpoint].flit);
  pool[number].arrival = later(entry);
  tiles[tile].inputs[Local].fifo.push(number);
  schedule(forwardQueue[Local], pool[number].arrival, tile * Kinds + Local);
  accepting = tile;
  listener.accepted(endpoint, time);
  accepting = UINT32_MAX;
  if (port.offers)
    schedule(intervalQueue[Local], port.nextSend, tile * Kinds + Injector);
}

std::string
Mesh::whatWaits(const std::function<std::string(uint32_t)> &name) const {
  static const char *const names[] = {"north", "south", "east", "west",
                                      "local"};
  for (uint32_t tile = 0; tile < numTiles(); ++tile) {
    std::string place = "router (" + std::to_string(tile % width) + ", " +
                        std::to_string(tile / width) + ")";
    for (uint32_t port = 0; port < NumPorts; ++port) {
      const Input &input = tiles[tile].inputs[port];
      if (input.fifo.empty())
        continue;
      const Flit &flit = pool[input.fifo.front()].flit;
      return place + ", " + names[port] +
             " buffer: " + std::to_string(input.fifo.size()) +
             " flits wait for the " +
             names[route(tiles[tile], input.fifo.front())] +
             " port, the first from " + name(flit.source) + " to " +
             name(flit.destination);
    }
    for (uint32_t endpoint : tiles[tile].injection.endpoints)
      if (tiles[tile].injection.ready[endpoints[endpoint].turn] != never)
        return place + ", injection port: " + name(endpoint) + " waits";
  }
  return "";
}

} // namespace neurite::sim
