// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/Replay.h"

#include "compiler/mapping/objective/FlitBuffer.h"
#include "compiler/mapping/objective/MeshRoutes.h"
#include "compiler/mapping/objective/SendStreams.h"

#include <algorithm>
#include <array>
#include <queue>

namespace neurite {

namespace {

constexpr uint32_t kLocal = MeshRoutes::local, kPorts = MeshRoutes::ports;

} // namespace

class Replay::Chip {
public:
  Chip(const std::vector<uint32_t> &cores, const Target &target,
       const TimingSet &timing)
      : target(target), timing(timing), tiles(target.numTiles()) {
    ids = cores;
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    // The host is the last endpoint.
    endpoints.resize(ids.size() + 1);
    for (uint32_t e = 0; e < endpoints.size(); ++e) {
      endpoints[e].tile = MeshRoutes::indexOf(
          target.mesh,
          target.mesh.at(e < ids.size() ? target.tileOf(ids[e]) : kHostTile));
      tiles[endpoints[e].tile].endpoints.push_back(e);
    }
    const NocTiming &noc = timing.noc;
    const PortTiming *const within[] = {&noc.east, &noc.west, &noc.north,
                                        &noc.south, &noc.local};
    for (uint32_t t = 0; t < tiles.size(); ++t) {
      const TileXY at = MeshRoutes::placeOf(target.mesh, t);
      for (uint32_t p = 0; p < kPorts; ++p) {
        // What travels in in a direction comes from the other side.
        auto times = [&](uint32_t towards) {
          return p != kLocal && leavesChip(target.mesh, at, Direction(towards))
                     ? &noc.crossing
                     : within[p];
        };
        tiles[t].out[p] = times(p);
        tiles[t].in[p] = times(p ^ 1);
      }
    }
    std::vector<uint32_t> ends;
    for (const Endpoint &endpoint : endpoints)
      ends.push_back(endpoint.tile);
    routes.find(target.mesh, ends);
    for (uint32_t core : cores)
      slices.push_back(uint32_t(std::lower_bound(ids.begin(), ids.end(), core) -
                                ids.begin()));
  }

  StepEnd run(const ReplayStep &step) {
    streams = streamsOf(step, slices, uint32_t(endpoints.size()));
    clear();
    for (uint32_t e = 0; e < endpoints.size(); ++e)
      goOn(e, 0);
    while (!events.empty()) {
      const auto [time, tile] = events.top();
      events.pop();
      if (tiles[tile].due != time)
        continue;
      tiles[tile].due = never;
      act(tile, time);
    }
    return end;
  }

private:
  void clear() {
    for (Endpoint &endpoint : endpoints) {
      endpoint.ready = never;
      endpoint.busyUntil = 0;
      endpoint.queue.reset(timing.noc.local.buffer);
    }
    for (Tile &tile : tiles) {
      for (uint32_t p = 0; p < kPorts; ++p) {
        tile.inputs[p].reset(tile.in[p]->buffer);
        tile.nextRead[p] = tile.nextSend[p] = 0;
        tile.turn[p] = 0;
      }
      tile.nextInjection = 0;
      tile.due = never;
      tile.injectionTurn = tile.waiting = tile.offers = 0;
    }
    flying.clear();
    free.clear();
    end = {};
  }

  using Message = SendStream::Message;
  struct Endpoint {
    uint32_t tile = 0;
    uint64_t ready = never; // when it has a message to hand over
    FlitBuffer queue;
    uint64_t busyUntil = 0; // of its receive engine
  };
  struct Tile {
    std::array<FlitBuffer, kPorts>
        inputs; // by the direction of what travels in
    std::array<const PortTiming *, kPorts> in{}, out{};
    std::array<uint64_t, kPorts> nextRead{}, nextSend{};
    std::array<uint32_t, kPorts> turn{};
    std::vector<uint32_t> endpoints;
    uint64_t nextInjection = 0, due = never;
    uint32_t injectionTurn = 0;
    uint32_t waiting = 0; // bits of the inputs that hold flits
    uint32_t offers = 0;  // endpoints that have a message to hand over
  };

  /// The engine of an endpoint goes on at `now`.
  void goOn(uint32_t e, uint64_t now) {
    const double at = streams[e].nextAt(double(now));
    if (streams[e].done()) {
      end.updated = std::max(end.updated, at);
      return close(e, at);
    }
    Endpoint &from = endpoints[e];
    from.ready = uint64_t(at) + timing.messageOut;
    ++tiles[from.tile].offers;
    wake(from.tile, std::max(from.ready, tiles[from.tile].nextInjection));
  }
  void close(uint32_t e, double at) {
    if (e < ids.size() && at > end.served) {
      end.served = at;
      end.core = e;
    }
  }

  void wake(uint32_t tile, uint64_t when) {
    if (when >= tiles[tile].due)
      return;
    tiles[tile].due = when;
    events.push({when, tile});
  }

  /// When the first flit of an input can leave, as far as known.
  uint64_t mayLeave(uint32_t t, uint32_t input) {
    Tile &tile = tiles[t];
    const FlitBuffer::Flit &flit = tile.inputs[input].front();
    const uint64_t soonest =
        std::max({flit.at, tile.nextRead[input], tile.nextSend[flit.out]});
    if (flit.out != kLocal)
      return std::max(
          soonest, tiles[routes.behind(t, flit.out)].inputs[flit.out].room());
    const uint32_t to = messageOf(flit).to;
    return to == ids.size() ? soonest
                            : std::max(soonest, endpoints[to].queue.room());
  }
  const Message &messageOf(const FlitBuffer::Flit &flit) const {
    return flying[flit.message];
  }

  void act(uint32_t t, uint64_t now) {
    Tile &tile = tiles[t];
    uint64_t next = never;
    for (bool moved = true; moved;) {
      moved = false;
      next = never;
      std::array<uint32_t, kPorts> winner;
      winner.fill(kPorts);
      for (uint32_t left = tile.waiting; left != 0; left &= left - 1) {
        const auto i = uint32_t(__builtin_ctz(left));
        const uint64_t when = mayLeave(t, i);
        if (when > now) {
          next = std::min(next, when);
          continue;
        }
        const uint32_t out = tile.inputs[i].front().out;
        auto place = [&](uint32_t input) {
          return (input + kPorts - tile.turn[out]) % kPorts;
        };
        if (winner[out] == kPorts || place(i) < place(winner[out]))
          winner[out] = i;
      }
      for (uint32_t out = 0; out < kPorts; ++out)
        if (winner[out] < kPorts) {
          send(t, winner[out], now);
          tile.turn[out] = (winner[out] + 1) % kPorts;
          moved = true;
        }
      moved |= inject(t, now, next);
    }
    if (next != never)
      wake(t, next);
  }

  void send(uint32_t t, uint32_t input, uint64_t now) {
    Tile &tile = tiles[t];
    FlitBuffer &from = tile.inputs[input];
    const FlitBuffer::Flit flit = from.front();
    const bool wasFull = from.full();
    const PortTiming &in = *tile.in[input], &out = *tile.out[flit.out];
    from.leave(now + in.credit);
    if (from.empty())
      tile.waiting &= ~(1u << input);
    tile.nextRead[input] = now + in.interval;
    tile.nextSend[flit.out] = now + out.interval;
    if (wasFull)
      wake(routes.before(t, input), now + in.credit);
    if (flit.out == kLocal)
      return receive(flit.message, now + out.eject);
    const uint32_t to = routes.behind(t, flit.out);
    const uint64_t there = now + out.forward;
    tiles[to].inputs[flit.out].enter(
        {there, flit.message, routes.out(to, messageOf(flit).to)});
    tiles[to].waiting |= 1u << flit.out;
    wake(to, std::max(there, tiles[to].nextRead[flit.out]));
  }

  void receive(uint32_t message, uint64_t now) {
    const Message &sent = flying[message];
    end.arrived = std::max(end.arrived, double(now));
    free.push_back(message);
    Endpoint &to = endpoints[sent.to];
    if (sent.to == ids.size()) {
      end.served = std::max(end.served, double(now));
      return;
    }
    to.busyUntil = std::max(to.busyUntil, now) + sent.service;
    to.queue.enter({});
    to.queue.leave(to.busyUntil + timing.noc.local.credit);
    close(sent.to, double(to.busyUntil));
  }

  /// Takes a message from one of the tile's endpoints.
  bool inject(uint32_t t, uint64_t now, uint64_t &next) {
    Tile &tile = tiles[t];
    if (tile.offers == 0)
      return false;
    uint64_t soonest = never;
    uint32_t winner = 0;
    const auto count = uint32_t(tile.endpoints.size());
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t place = (tile.injectionTurn + k) % count;
      const uint64_t ready = endpoints[tile.endpoints[place]].ready;
      if (ready <= now && soonest > now)
        winner = place;
      soonest = std::min(soonest, ready);
    }
    const uint64_t when =
        std::max({soonest, tile.nextInjection, tile.inputs[kLocal].room()});
    if (when > now) {
      next = std::min(next, when);
      return false;
    }
    const uint32_t e = tile.endpoints[winner];
    Endpoint &from = endpoints[e];
    tile.injectionTurn = (winner + 1) % count;
    const PortTiming &local = timing.noc.local;
    tile.nextInjection = now + local.interval;
    from.ready = never;
    --tile.offers;
    const Message sent = streams[e].take();
    uint32_t message;
    if (free.empty()) {
      message = uint32_t(flying.size());
      flying.push_back(sent);
    } else {
      message = free.back();
      free.pop_back();
      flying[message] = sent;
    }
    const uint64_t there = now + local.inject + local.forward;
    tile.inputs[kLocal].enter({there, message, routes.out(t, sent.to)});
    tile.waiting |= 1u << kLocal;
    wake(t, std::max(there, tile.nextRead[kLocal]));
    goOn(e, now);
    return true;
  }

  const Target &target;
  const TimingSet &timing;
  std::vector<uint32_t> ids;    // of the cores in use, rising
  std::vector<uint32_t> slices; // the endpoint of each
  std::vector<Tile> tiles;
  std::vector<Endpoint> endpoints;
  std::vector<SendStream> streams; // by endpoint
  MeshRoutes routes;
  std::vector<Message> flying;
  std::vector<uint32_t> free;                  // places in `flying`
  using Event = std::pair<uint64_t, uint32_t>; // when, tile
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events;
  StepEnd end;
};

Replay::Replay(const std::vector<uint32_t> &cores, const Target &target,
               const TimingSet &timing)
    : chip(std::make_unique<Chip>(cores, target, timing)) {}

Replay::~Replay() = default;

StepEnd Replay::run(const ReplayStep &step) { return chip->run(step); }

} // namespace neurite
