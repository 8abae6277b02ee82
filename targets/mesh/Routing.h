// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways over the mesh. Routing is dimension order: along the row to the column
// of the destination, then along that column.

#ifndef DENDROLITH_TARGETS_MESH_ROUTING_H
#define DENDROLITH_TARGETS_MESH_ROUTING_H

#include "targets/loader/chip/Sections.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace dendrolith {

/// How many links between routers a route takes: those within chips by
/// direction, and those from chip to chip.
struct Hops {
  uint64_t ew = 0, ns = 0, crossings = 0;
  uint64_t total() const { return ew + ns + crossings; }
};

inline uint64_t distanceBetween(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}

/// Between places of one chip.
inline Hops hopsBetween(TileXY a, TileXY b) {
  return {distanceBetween(a.x, b.x), distanceBetween(a.y, b.y)};
}

/// Between places of a board.
inline Hops hopsBetween(const Mesh &mesh, TileXY a, TileXY b) {
  Hops hops = hopsBetween(a, b);
  if (mesh.chips() == 1)
    return hops;
  const uint64_t across =
      distanceBetween(a.x / mesh.chipTilesX(), b.x / mesh.chipTilesX());
  const uint64_t along =
      distanceBetween(a.y / mesh.chipTilesY(), b.y / mesh.chipTilesY());
  return {hops.ew - across, hops.ns - along, across + along};
}

/// North is towards row 0, west towards column 0.
enum class Direction { East, West, North, South };

/// Whether the link by which a flit leaves a tile leads to another chip.
inline bool leavesChip(const Mesh &mesh, TileXY from, Direction direction) {
  if (mesh.chips() == 1)
    return false;
  switch (direction) {
  case Direction::East:
    return (from.x + 1) % mesh.chipTilesX() == 0;
  case Direction::West:
    return from.x % mesh.chipTilesX() == 0;
  case Direction::South:
    return (from.y + 1) % mesh.chipTilesY() == 0;
  case Direction::North:
    return from.y % mesh.chipTilesY() == 0;
  }
  return false;
}

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

/// The union of the routes from one tile to several, each link once: the way of
/// a message that is multicast. It is a part of the tile's row, and for each
/// column that part of it which lies between the row and its destinations.
class RouteTree {
public:
  RouteTree(const Mesh &mesh, uint64_t from)
      : mesh(mesh), root(mesh.at(from)), west(root.x), east(root.x),
        columns(mesh.tilesX, {root.y, root.y}) {}

  void add(uint64_t tile) {
    const TileXY to = mesh.at(tile);
    west = std::min(west, to.x);
    east = std::max(east, to.x);
    Column &column = columns[to.x];
    column.north = std::min(column.north, to.y);
    column.south = std::max(column.south, to.y);
  }

  /// Forgets all destinations.
  void clear() {
    for (; west < root.x; ++west)
      columns[west] = {root.y, root.y};
    for (; east > root.x; --east)
      columns[east] = {root.y, root.y};
    columns[root.x] = {root.y, root.y};
  }

  Hops hops() const {
    // The two ends of its part of the row, and of the column, are places.
    Hops hops = hopsBetween(mesh, {west, root.y}, {east, root.y});
    for (uint64_t x = west; x <= east; ++x) {
      const Hops more =
          hopsBetween(mesh, {x, columns[x].north}, {x, columns[x].south});
      hops.ns += more.ns;
      hops.crossings += more.crossings;
    }
    return hops;
  }

  /// Calls visit(link) for each link.
  template <typename Visit> void forEachLink(Visit visit) const {
    auto walk = [&](uint64_t x, uint64_t y, uint64_t toX, uint64_t toY) {
      dendrolith::forEachLink(mesh, mesh.tileAt({x, y}),
                              mesh.tileAt({toX, toY}), visit);
    };
    walk(root.x, root.y, east, root.y);
    walk(root.x, root.y, west, root.y);
    for (uint64_t x = west; x <= east; ++x) {
      walk(x, root.y, x, columns[x].south);
      walk(x, root.y, x, columns[x].north);
    }
  }

private:
  struct Column {
    uint64_t north, south; // the rows of its ends
  };
  const Mesh &mesh;
  TileXY root;
  uint64_t west, east; // the columns that it reaches
  std::vector<Column> columns;
};

// How much of a board is in use.

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

#endif // DENDROLITH_TARGETS_MESH_ROUTING_H
