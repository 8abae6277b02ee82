// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a board that messages cross: memory follows the chips in use.

#ifndef DENDROLITH_TARGETS_MESH_CROP_H
#define DENDROLITH_TARGETS_MESH_CROP_H

#include "targets/loader/chip/Sections.h"

#include <algorithm>
#include <vector>

namespace dendrolith {

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

#endif // DENDROLITH_TARGETS_MESH_CROP_H
