// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways over the mesh. Routing is dimension order: along the row to the column
// of the destination, then along that column.

#ifndef NEURITE_TARGETS_LOADER_ROUTING_H
#define NEURITE_TARGETS_LOADER_ROUTING_H

#include "targets/loader/Chip.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace neurite {

/// The tile at which messages of the host enter and leave the mesh.
constexpr uint64_t kHostTile = 0;

/// How many links between routers a route takes, by direction.
struct Hops {
  uint64_t ew = 0, ns = 0;
  uint64_t total() const { return ew + ns; }
};

inline Hops hopsBetween(TileXY a, TileXY b) {
  return {a.x > b.x ? a.x - b.x : b.x - a.x, a.y > b.y ? a.y - b.y : b.y - a.y};
}

/// North is towards row 0, west towards column 0.
enum class Direction { East, West, North, South };

/// A link between the routers of neighbouring tiles.
struct MeshLink {
  uint64_t from, to; // tiles
  Direction direction;
};

/// Calls visit(link) for each link of the route between two tiles, in order.
template <typename Visit>
void forEachLink(const Mesh &mesh, uint64_t from, uint64_t to, Visit visit) {
  TileXY at = mesh.at(from);
  const TileXY end = mesh.at(to);
  auto leave = [&](Direction direction, uint64_t &coordinate, bool up) {
    const uint64_t tile = mesh.tileAt(at);
    coordinate += up ? 1 : -1;
    visit(MeshLink{tile, mesh.tileAt(at), direction});
  };
  while (at.x < end.x)
    leave(Direction::East, at.x, true);
  while (at.x > end.x)
    leave(Direction::West, at.x, false);
  while (at.y < end.y)
    leave(Direction::South, at.y, true);
  while (at.y > end.y)
    leave(Direction::North, at.y, false);
}

/// The links (from, to) of the route between two tiles, in order.
std::vector<std::pair<uint32_t, uint32_t>>
routeBetween(const Mesh &mesh, uint64_t from, uint64_t to);

} // namespace neurite

#endif // NEURITE_TARGETS_LOADER_ROUTING_H
