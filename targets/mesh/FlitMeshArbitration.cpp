// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One round of a tile: which of the flits that wait in its router may leave,
// and which core may hand over its next one.

#include "targets/mesh/FlitMesh.h"

#include "targets/mesh/MeshMoves.h"

#include <algorithm>

namespace dendrolith {

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

} // namespace dendrolith
