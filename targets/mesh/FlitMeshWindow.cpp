// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tiles do while none can reach another.
//
// What an injection port takes depends on its cores and on the slots of the
// router's local buffer, and on nothing else in the router. So the port goes
// ahead, through the whole window or until the buffer is full, and then the
// inputs move. When a flit leaves a full buffer, the port goes on: what it
// takes then is in the router at a later instant.
//
// A few tiles run one after the other. Where there are many, all make their
// next move before one makes another. Nothing predicts whether that gives a
// flit to a link or to a core, and from which input. A branch that is guessed
// wrongly costs a third of a move. So it is asked for without a branch, and
// each kind of move is made in a loop of its own. That takes a tenth less time
// where 28 tiles of 32 are busy, and a tenth more where four are. The order
// shows nowhere; MeshTest.AFewTilesMoveAsManyDo holds both ways equal. The
// plain twin of all this is FlitMesh::advance() without a lookahead;
// MeshTest.OrderInsideAnInstantDoesNotShow has its orders, and
// MeshTest.TilesMayRunAheadOfEachOther windows beside single instants.

#include "targets/mesh/FlitMesh.h"

#include "targets/mesh/MeshMoves.h"

#include <algorithm>

namespace dendrolith {

/// Tiles, and the next move of each. The move that is asked for last is written
/// into both lists, and counted in one of them at most.
struct FlitMesh::Plan {
  static constexpr uint32_t most = 64; // fit the first cache
  uint32_t count = 0, numLinks = 0, numLocals = 0;
  std::array<uint32_t, most> tiles;
  std::array<uint64_t, most> times;
  std::array<uint32_t, most> ports, inputs;
  std::array<uint32_t, most> links, locals; // places of the moves of a kind
};

/// Asks the tiles of a plan, and drops those that do nothing before `end`.
template <MeshTile::Move (MeshTile::*nextMove)() const>
static inline void ask(FlitMesh::Plan &plan, const MeshTile *tiles,
                       uint64_t *nexts, uint64_t end) {
  uint32_t left = 0, numLinks = 0, numLocals = 0;
  for (uint32_t i = 0, count = plan.count; i < count; ++i) {
    const uint32_t index = plan.tiles[i];
    const MeshTile &tile = tiles[index];
    const MeshTile::Move move = (tile.*nextMove)();
    nexts[index] = std::min(move.time, tile.injection);
    plan.tiles[left] = index;
    plan.times[left] = move.time;
    plan.ports[left] = move.port;
    plan.inputs[left] = move.inputs;
    plan.links[numLinks] = plan.locals[numLocals] = left;
    const bool goesOn = move.time < end;
    left += goesOn;
    numLinks += goesOn & (move.port != Ports::Local);
    numLocals += goesOn & (move.port == Ports::Local);
  }
  plan.count = left;
  plan.numLinks = numLinks;
  plan.numLocals = numLocals;
}

#ifdef __x86_64__
// Nothing but the question is made for such processors: their compiler keeps
// times in vector registers where it had better not.
DENDROLITH_TARGET_AVX512 __attribute__((flatten)) static void
askAvx512(FlitMesh::Plan &plan, const MeshTile *tiles, uint64_t *nexts,
          uint64_t end) {
  ask<&MeshTile::nextMoveAvx512>(plan, tiles, nexts, end);
}
#endif

void FlitMesh::askAll(Plan &plan, uint64_t end) {
#ifdef __x86_64__
  if (bestIsa() == Isa::Avx512 && !anyProcessor)
    return askAvx512(plan, tiles.data(), nexts.data(), end);
#endif
  ask<&MeshTile::nextMove>(plan, tiles.data(), nexts.data(), end);
}

/// Takes all that the cores of a tile offer before `end`, if there is room.
inline void FlitMesh::injectUntil(Tile &tile, uint32_t index, uint64_t end) {
  while (tile.injection < end) {
    time = tile.injection;
    last = std::max(last, time);
    inject(tile, index, time);
  }
}

/// Takes a tile by itself through all that it does before `end`; nothing of
/// other tiles can become due meanwhile. What moves makes nothing else due at
/// the same instant, so that each output is a round of its own.
template <bool plain>
inline void FlitMesh::runOne(uint32_t index, uint64_t end) {
  Tile &tile = tiles[index];
  for (;;) {
    injectUntil(tile, index, end);
    const auto [now, inputs] = tile.nextSenders();
    if (now >= end) {
      nexts[index] = std::min(now, tile.injection);
      break;
    }
    time = now;
    const uint32_t from = __builtin_ctz(inputs), port = tile.out[from];
    if (inputs & (inputs - 1))
      settle<plain>(tile, index, port, inputs & tile.wanting(port), now);
    else if (port != Local)
      forward<plain>(tile, index, from, port, now);
    else if (hasRoom(tile, from, now))
      eject<plain>(tile, from, now);
  }
  last = std::max(last, time);
}

/// The same for the tiles of a plan, all of which make their next move before
/// one makes another.
template <bool plain> inline void FlitMesh::runMany(Plan &plan, uint64_t end) {
  for (uint32_t i = 0; i < plan.count; ++i)
    injectUntil(tiles[plan.tiles[i]], plan.tiles[i], end);
  askAll(plan, end);
  for (uint32_t k = 0; k < plan.numLinks; ++k) {
    const uint32_t i = plan.links[k], index = plan.tiles[i];
    const uint32_t port = plan.ports[i];
    Tile &tile = tiles[index];
    const uint64_t now = plan.times[i];
    last = std::max(last, now);
    forward<plain>(tile, index, winner(tile, port, plan.inputs[i], now), port,
                   now);
  }
  for (uint32_t k = 0; k < plan.numLocals; ++k) {
    const uint32_t i = plan.locals[k], index = plan.tiles[i];
    time = plan.times[i];
    last = std::max(last, time);
    settle<plain>(tiles[index], index, Local, plan.inputs[i], time);
  }
}

/// Collects tiles that do something before `end`, about as many as there is
/// room for. Returns the first one that was not looked at.
inline const uint32_t *FlitMesh::collect(Plan &plan, const uint32_t *tile,
                                         uint64_t end) const {
  const uint32_t *const last = order.data() + order.size();
  const uint64_t *const when = nexts.data();
  uint32_t count = 0;
  while (tile != last && count < Plan::most / 2)
    for (auto room = std::min<ptrdiff_t>(last - tile, Plan::most - count); room;
         --room) {
      const uint32_t index = *tile++;
      plan.tiles[count] = index;
      count += when[index] < end;
    }
  plan.count = count;
  return tile;
}

/// Takes all tiles through all that they do before `end`.
// What this calls is drawn into it: calls for every flit take time.
template <bool plain>
__attribute__((flatten)) void FlitMesh::runWindow(uint64_t end) {
  Plan plan;
  last = time;
  const uint32_t *tile = order.data();
  while (tile != order.data() + order.size()) {
    tile = collect(plan, tile, end);
    if (plan.count > fewTiles)
      while (plan.count > fewTiles / 2)
        runMany<plain>(plan, end);
    for (uint32_t i = 0; i < plan.count; ++i)
      runOne<plain>(plan.tiles[i], end);
  }
  time = last;
}

void FlitMesh::runWindow(uint64_t end) {
  if (multicast || counting)
    runWindow</*plain=*/false>(end);
  else
    runWindow</*plain=*/true>(end);
}

} // namespace dendrolith
