// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/Replay.h"

#include "compiler/mapping/objective/FlitBuffer.h"
#include "compiler/mapping/objective/MeshRoutes.h"
#include "compiler/mapping/objective/SendStreams.h"
#include "compiler/mapping/objective/TileClock.h"

#include <algorithm>
#include <array>

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
    // Behind the cores is the host, or one of each chip.
    const Mesh &mesh = target.mesh;
    endpoints.resize(ids.size() + (mesh.hostOnEach ? mesh.chips() : 1));
    for (uint32_t e = 0; e < endpoints.size(); ++e) {
      const uint64_t tile =
          e < ids.size()
              ? target.tileOf(ids[e])
              : mesh.hostTile((e - ids.size()) * mesh.tilesPerChip());
      endpoints[e].tile = MeshRoutes::indexOf(mesh, mesh.at(tile));
      tiles[endpoints[e].tile].endpoints.push_back(e);
    }
    uint32_t offers = 0;
    for (Tile &tile : tiles) {
      tile.firstOffer = offers;
      for (uint32_t e : tile.endpoints)
        endpoints[e].offer = offers++;
    }
    ready.resize(offers);
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
    for (uint32_t core : cores) {
      slices.push_back(uint32_t(std::lower_bound(ids.begin(), ids.end(), core) -
                                ids.begin()));
      const uint64_t tile = mesh.hostTile(target.tileOf(core));
      hosts.push_back(uint32_t(ids.size() + mesh.chipOf(tile)));
    }
  }

  StepEnd run(const ReplayStep &step) {
    streams = streamsOf(step, slices, hosts, uint32_t(endpoints.size()));
    clear();
    for (uint32_t e = 0; e < endpoints.size(); ++e)
      goOn(e, 0);
    while (clock.first().when != never) {
      const auto [time, tile] = clock.first();
      acting = tile;
      dueAgain = never;
      act(tile, time);
      acting = nobody;
      clock.set(tile, dueAgain);
    }
    return end;
  }

private:
  void clear() {
    std::fill(ready.begin(), ready.end(), never);
    for (Endpoint &endpoint : endpoints) {
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
      tile.injectionTurn = tile.waiting = tile.offers = 0;
    }
    clock.reset(tiles.size());
    acting = nobody;
    end = {};
  }

  struct Endpoint {
    uint32_t tile = 0, offer = 0; // place in `ready`
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
    uint64_t nextInjection = 0;
    uint32_t firstOffer = 0, injectionTurn = 0;
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
    const Endpoint &from = endpoints[e];
    const uint64_t when = uint64_t(at) + timing.messageOut;
    ready[from.offer] = when;
    ++tiles[from.tile].offers;
    wake(from.tile, std::max(when, tiles[from.tile].nextInjection));
  }
  void close(uint32_t e, double at) {
    if (e < ids.size() && at > end.served) {
      end.served = at;
      end.core = e;
    }
  }

  void wake(uint32_t tile, uint64_t when) {
    if (tile == acting)
      dueAgain = std::min(dueAgain, when);
    else if (when < clock.at(tile))
      clock.set(tile, when);
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
    return flit.to >= ids.size()
               ? soonest
               : std::max(soonest, endpoints[flit.to].queue.room());
  }

  void act(uint32_t t, uint64_t now) {
    Tile &tile = tiles[t];
    uint64_t next = never;
    for (bool moved = true; moved;) {
      moved = false;
      next = never;
      std::array<uint32_t, kPorts> winner{};
      uint32_t won = 0; // bits of the outputs that have a winner
      for (uint32_t left = tile.waiting; left != 0; left &= left - 1) {
        const auto i = uint32_t(__builtin_ctz(left));
        const uint64_t when = mayLeave(t, i);
        if (when > now) {
          next = std::min(next, when);
          continue;
        }
        const uint32_t out = tile.inputs[i].front().out;
        auto place = [&](uint32_t input) {
          const uint32_t turn = tile.turn[out];
          return input < turn ? input + kPorts - turn : input - turn;
        };
        if (!(won >> out & 1) || place(i) < place(winner[out]))
          winner[out] = i;
        won |= 1u << out;
      }
      for (uint32_t left = won; left != 0; left &= left - 1) {
        const auto out = uint32_t(__builtin_ctz(left));
        send(t, winner[out], now);
        tile.turn[out] = winner[out] + 1 < kPorts ? winner[out] + 1 : 0;
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
      return receive(flit, now + out.eject);
    const uint32_t to = routes.behind(t, flit.out);
    const uint64_t there = now + out.forward;
    tiles[to].inputs[flit.out].enter(
        {there, flit.service, flit.to, routes.out(to, flit.to)});
    tiles[to].waiting |= 1u << flit.out;
    wake(to, std::max(there, tiles[to].nextRead[flit.out]));
  }

  void receive(const FlitBuffer::Flit &sent, uint64_t now) {
    end.arrived = std::max(end.arrived, double(now));
    Endpoint &to = endpoints[sent.to];
    if (sent.to >= ids.size()) {
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
    uint32_t place = tile.injectionTurn;
    for (uint32_t k = 0; k < count; ++k) {
      const uint64_t when = ready[tile.firstOffer + place];
      if (when <= now && soonest > now)
        winner = place;
      soonest = std::min(soonest, when);
      place = place + 1 < count ? place + 1 : 0;
    }
    const uint64_t when =
        std::max({soonest, tile.nextInjection, tile.inputs[kLocal].room()});
    if (when > now) {
      next = std::min(next, when);
      return false;
    }
    const uint32_t e = tile.endpoints[winner];
    tile.injectionTurn = winner + 1 < count ? winner + 1 : 0;
    const PortTiming &local = timing.noc.local;
    tile.nextInjection = now + local.interval;
    ready[tile.firstOffer + winner] = never;
    --tile.offers;
    const SendStream::Message sent = streams[e].take();
    const uint64_t there = now + local.inject + local.forward;
    tile.inputs[kLocal].enter(
        {there, sent.service, sent.to, routes.out(t, sent.to)});
    tile.waiting |= 1u << kLocal;
    wake(t, std::max(there, tile.nextRead[kLocal]));
    goOn(e, now);
    return true;
  }

  const Target &target;
  const TimingSet &timing;
  std::vector<uint32_t> ids;    // of the cores in use, rising
  std::vector<uint32_t> slices; // the endpoint of each
  std::vector<uint32_t> hosts;  // that of the host of each
  std::vector<Tile> tiles;
  std::vector<Endpoint> endpoints;
  std::vector<SendStream> streams; // by endpoint
  MeshRoutes routes;
  std::vector<uint64_t> ready; // when each has a message to hand over, by tile
  TileClock clock;
  // The tile that acts goes into the clock once, when it has acted.
  static constexpr uint32_t nobody = ~uint32_t(0);
  uint32_t acting = nobody;
  uint64_t dueAgain = never;
  StepEnd end;
};

Replay::Replay(const std::vector<uint32_t> &cores, const Target &target,
               const TimingSet &timing)
    : chip(std::make_unique<Chip>(cores, target, timing)) {}

Replay::~Replay() = default;

StepEnd Replay::run(const ReplayStep &step) { return chip->run(step); }

} // namespace neurite
