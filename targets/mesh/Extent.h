// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a board is in use.

#ifndef DENDROLITH_TARGETS_MESH_EXTENT_H
#define DENDROLITH_TARGETS_MESH_EXTENT_H

#include "targets/loader/chip/Sections.h"

#include <cstdint>
#include <set>

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

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_MESH_EXTENT_H
