// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/objective/Replay.h"

#include "compiler/mapping/objective/ReplayEnds.h"
#include "compiler/mapping/objective/ReplayTile.h"
#include "compiler/mapping/objective/SendStreams.h"
#include "compiler/mapping/objective/StepCloser.h"
#include "compiler/mapping/objective/TileClock.h"

#include <algorithm>
#include <array>

namespace dendrolith {

namespace {

constexpr uint32_t kLocal = ReplayTile::local, kPorts = ReplayTile::ports;

} // namespace

class Replay::Chip {
public:
  Chip(const std::vector<uint32_t> &cores, const Target &target,
       const TimingSet &timing)
      : timing(timing), ends(cores, target), tiles(target.numTiles()),
        endpoints(ends.tiles.size()) {
    for (uint32_t e = 0; e < endpoints.size(); ++e)
      tiles[ends.tiles[e]].endpoints.push_back(e);
    routes.find(target.mesh, ends.tiles);
    uint32_t offers = 0;
    for (ReplayTile &tile : tiles) {
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
        tiles[t].behind[p] = routes.behind(t, p);
        tiles[t].out[p] = times(p);
        tiles[t].in[p] = times(p ^ 1);
        if (p != kLocal)
          ahead = std::min({ahead, times(p)->forward, times(p)->credit});
      }
    }
  }

  /// What a tile does reaches another one after some time, so each tile does at
  /// once all that it can do before anything of the others can reach it: it
  /// stays in the first cache, and the clock is asked once for several flits.
  /// The plain twin, one instant after the other, is what becomes of it where a
  /// link takes no time; ReplayTest holds both equal.
  StepEnd run(const ReplayStep &step) {
    streams =
        streamsOf(step, ends.slices, ends.hosts, uint32_t(endpoints.size()));
    clear();
    for (uint32_t e = 0; e < endpoints.size(); ++e)
      goOn(e, 0);
    for (uint32_t t = 0; t < tiles.size(); ++t)
      wake(t, tiles[t].firstReady);
    closer.closeSpan(true);
    while (clock.first().when != never) {
      const uint64_t horizon =
          clock.first().when + std::max<uint64_t>(ahead, 1);
      while (clock.first().when < horizon) {
        const auto [time, tile] = clock.first();
        clock.set(tile, act(tile, time, horizon));
      }
      closer.closeSpan(ahead == 0);
    }
    end.served = closer.served();
    end.core = closer.core();
    return end;
  }

private:
  void clear() {
    std::fill(ready.begin(), ready.end(), never);
    for (Endpoint &endpoint : endpoints) {
      endpoint.busyUntil = 0;
      endpoint.queue.reset(timing.noc.local.buffer);
    }
    for (ReplayTile &tile : tiles)
      tile.reset();
    clock.reset(tiles.size());
    closer.reset();
    end = {};
  }

  struct Endpoint {
    uint32_t offer = 0; // place in `ready`
    FlitBuffer queue;
    uint64_t busyUntil = 0; // of its receive engine
  };

  /// The engine of an endpoint goes on at `now`.
  void goOn(uint32_t e, uint64_t now) {
    const double at = streams[e].nextAt(double(now));
    if (streams[e].done()) {
      end.updated = std::max(end.updated, at);
      return close(e, now, at);
    }
    const uint64_t when = uint64_t(at) + timing.messageOut;
    ready[endpoints[e].offer] = when;
    ReplayTile &tile = tiles[ends.tiles[e]];
    tile.firstReady = std::min(tile.firstReady, when);
  }
  void close(uint32_t e, uint64_t now, double at) {
    if (!ends.isHost(e))
      closer.end(now, ends.tiles[e], at, e);
  }

  void wake(uint32_t tile, uint64_t when) {
    if (when < clock.at(tile))
      clock.set(tile, when);
  }

  /// A flit has become the first of an input.
  void nowFirst(uint32_t t, uint32_t input) {
    ReplayTile &tile = tiles[t];
    const FlitBuffer::Flit &flit = tile.inputs[input].front();
    ReplayTile::First &first = tile.firsts[input];
    first.soonest = std::max(flit.at, tile.nextRead[input]);
    first.out = flit.out;
    if (flit.out != kLocal)
      first.room = &tiles[tile.behind[flit.out]].inputs[flit.out].room();
    else
      first.room = ends.isHost(flit.to) ? &ReplayTile::always
                                        : &endpoints[flit.to].queue.room();
  }

  void enter(uint32_t t, uint32_t input, const FlitBuffer::Flit &flit) {
    ReplayTile &tile = tiles[t];
    const bool isFirst = tile.inputs[input].empty();
    tile.inputs[input].enter(flit);
    if (isFirst)
      nowFirst(t, input);
  }

  /// All that a tile can do from `now` on, before `horizon`. The answer is
  /// when it can do something next, if no other tile wakes it before: a
  /// neighbour that sends the first flit of a port, or one that has room again.
  uint64_t act(uint32_t t, uint64_t now, uint64_t horizon) {
    ReplayTile &tile = tiles[t];
    for (;;) {
      std::array<uint64_t, kPorts> when;
      uint64_t next = tile.injectionAt();
      for (uint32_t i = 0; i < kPorts; ++i) {
        when[i] = tile.firsts[i].when(tile);
        next = std::min(next, when[i]);
      }
      if (next >= horizon)
        return next;
      now = std::max(now, next);
      uint32_t due = 0; // bits of inputs
      for (uint32_t i = 0; i < kPorts; ++i)
        due |= uint32_t(when[i] <= now) << i;
      if ((due & (due - 1)) != 0)
        sendOf(t, due, now);
      else if (due != 0)
        send(t, uint32_t(__builtin_ctz(due)), now);
      if (tile.injectionAt() <= now)
        inject(t, now);
    }
  }

  /// Of the inputs whose first flits want the same output, one sends.
  void sendOf(uint32_t t, uint32_t due, uint64_t now) {
    ReplayTile &tile = tiles[t];
    std::array<uint32_t, kPorts> winner{};
    uint32_t won = 0; // bits of the outputs that have a winner
    for (uint32_t left = due; left != 0; left &= left - 1) {
      const auto i = uint32_t(__builtin_ctz(left));
      const uint32_t out = tile.firsts[i].out;
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
    }
  }

  void send(uint32_t t, uint32_t input, uint64_t now) {
    ReplayTile &tile = tiles[t];
    FlitBuffer &from = tile.inputs[input];
    const FlitBuffer::Flit flit = from.front();
    const bool wasFull = from.full();
    const PortTiming &in = *tile.in[input], &out = *tile.out[flit.out];
    from.leave(now + in.credit);
    tile.nextRead[input] = now + in.interval;
    tile.nextSend[flit.out] = now + out.interval;
    tile.turn[flit.out] = input + 1 < kPorts ? input + 1 : 0;
    if (from.empty())
      tile.firsts[input] = {};
    else
      nowFirst(t, input);
    if (wasFull && input != kLocal)
      wake(tile.behind[input ^ 1], now + in.credit); // where it came from
    if (flit.out == kLocal)
      return receive(flit, now, now + out.eject);
    const uint32_t to = tile.behind[flit.out];
    const uint64_t there = now + out.forward;
    const bool isFirst = tiles[to].inputs[flit.out].empty();
    enter(to, flit.out,
          {there, flit.service, flit.to, routes.out(to, flit.to)});
    if (isFirst)
      wake(to, tiles[to].firsts[flit.out].soonest);
  }

  /// A tile passes a flit on at `now`, which arrives at `at`.
  void receive(const FlitBuffer::Flit &sent, uint64_t now, uint64_t at) {
    end.arrived = std::max(end.arrived, double(at));
    Endpoint &to = endpoints[sent.to];
    if (ends.isHost(sent.to))
      return closer.end(now, ends.tiles[sent.to], double(at),
                        StepCloser::nobody);
    to.busyUntil = std::max(to.busyUntil, at) + sent.service;
    to.queue.enter({});
    to.queue.leave(to.busyUntil + timing.noc.local.credit);
    close(sent.to, now, double(to.busyUntil));
  }

  /// Takes a message from one of the tile's endpoints.
  void inject(uint32_t t, uint64_t now) {
    ReplayTile &tile = tiles[t];
    const auto count = uint32_t(tile.endpoints.size());
    uint64_t *const offers = ready.data() + tile.firstOffer;
    uint32_t winner = tile.injectionTurn;
    while (offers[winner] > now)
      winner = winner + 1 < count ? winner + 1 : 0;
    const uint32_t e = tile.endpoints[winner];
    tile.injectionTurn = winner + 1 < count ? winner + 1 : 0;
    const PortTiming &local = timing.noc.local;
    tile.nextInjection = now + local.interval;
    offers[winner] = never;
    tile.firstReady = *std::min_element(offers, offers + count);
    const SendStream::Message sent = streams[e].take();
    enter(t, kLocal,
          {now + local.inject + local.forward, sent.service, sent.to,
           routes.out(t, sent.to)});
    goOn(e, now);
  }

  const TimingSet &timing;
  const ReplayEnds ends;
  std::vector<ReplayTile> tiles;
  std::vector<Endpoint> endpoints; // as `ends`
  std::vector<SendStream> streams; // by endpoint
  MeshRoutes routes;
  std::vector<uint64_t> ready; // when each has a message to hand over, by tile
  TileClock clock;
  /// What a tile does is noticed by others so many ps later, or more.
  uint64_t ahead = never;
  StepCloser closer;
  StepEnd end;
};

Replay::Replay(const std::vector<uint32_t> &cores, const Target &target,
               const TimingSet &timing)
    : chip(std::make_unique<Chip>(cores, target, timing)) {}

Replay::~Replay() = default;

StepEnd Replay::run(const ReplayStep &step) { return chip->run(step); }

} // namespace dendrolith
