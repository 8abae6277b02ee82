// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which port of which tile a flit takes in a replay.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_MESHROUTES_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_MESHROUTES_H

#include "targets/mesh/Routing.h"

namespace dendrolith {

class MeshRoutes {
public:
  /// Ports as Direction names them, and the one to and from a tile's cores.
  static constexpr uint32_t local = 4, ports = 5;

  /// A replay counts the tiles of all chips row by row.
  static uint32_t indexOf(const Mesh &mesh, TileXY at) {
    return uint32_t(at.y * mesh.tilesX + at.x);
  }
  static TileXY placeOf(const Mesh &mesh, uint32_t index) {
    return {index % mesh.tilesX, index / mesh.tilesX};
  }

  /// `ends` has the tile of each endpoint.
  void find(const Mesh &mesh, const std::vector<uint32_t> &ends) {
    across = uint32_t(mesh.tilesX);
    count = ends.size();
    table.clear();
    for (uint32_t tile = 0; tile < mesh.tiles(); ++tile)
      for (uint32_t end : ends) {
        const TileXY here = placeOf(mesh, tile), there = placeOf(mesh, end);
        Direction out = Direction::South;
        if (there.x != here.x)
          out = there.x > here.x ? Direction::East : Direction::West;
        else if (there.y < here.y)
          out = Direction::North;
        table.push_back(tile == end ? uint8_t(local) : uint8_t(out));
      }
  }

  /// The port by which a flit to an endpoint leaves a tile.
  uint32_t out(uint32_t tile, uint32_t endpoint) const {
    return table[tile * count + endpoint];
  }
  uint32_t behind(uint32_t tile, uint32_t port) const {
    switch (Direction(port)) {
    case Direction::East:
      return tile + 1;
    case Direction::West:
      return tile - 1;
    case Direction::North:
      return tile - across;
    default:
      return tile + across;
    }
  }

private:
  uint32_t across = 1;
  size_t count = 0;
  std::vector<uint8_t> table; // by tile, then by endpoint
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_MESHROUTES_H
