// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a board is in use.

#ifndef DENDROLITH_TARGETS_MESH_EXTENT_H
#define DENDROLITH_TARGETS_MESH_EXTENT_H

#include "targets/loader/chip/Sections.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace dendrolith {

struct Extent {
  uint64_t tiles = 0;   // in use
  uint64_t fullest = 0; // of them, those of the chip that has most
  /// Chips in use, which are paid: those that hold a tile in use, the one where
  /// the only host is, and those on the way from one of these to another.
  std::set<uint64_t> chips;
};

/// `tiles` are those in use.
Extent extentOf(const Mesh &mesh, const std::set<uint64_t> &tiles);

// The part of a board that messages cross: memory follows the chips in use.

/// The chips of a board from its first one up to the last column and row in
/// use, two at least. Routes go along x, then y, so none leaves them, and
/// places keep their x and y; tiles of more than one chip are numbered anew.
inline Mesh cropped(const Mesh &board, const std::vector<TileXY> &used) {
  if (board.chips() == 1)
    return board;
  Mesh part = board;
  part.chipsX = part.chipsY = 1;
  for (const TileXY &at : used) {
    part.chipsX = std::max(part.chipsX, at.x / board.chipTilesX() + 1);
    part.chipsY = std::max(part.chipsY, at.y / board.chipTilesY() + 1);
  }
  if (part.chips() == 1)
    ++(board.chipsX > 1 ? part.chipsX : part.chipsY);
  part.tilesX = part.chipsX * board.chipTilesX();
  part.tilesY = part.chipsY * board.chipTilesY();
  return part;
}

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_MESH_EXTENT_H
