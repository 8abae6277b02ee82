// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/mesh/Routing.h"

#include <algorithm>
#include <map>

namespace dendrolith {

std::vector<std::pair<uint32_t, uint32_t>>
routeBetween(const Mesh &mesh, uint64_t from, uint64_t to) {
  std::vector<std::pair<uint32_t, uint32_t>> links;
  forEachLink(mesh, from, to, [&](const MeshLink &link) {
    links.emplace_back(static_cast<uint32_t>(link.from),
                       static_cast<uint32_t>(link.to));
  });
  return links;
}

Extent extentOf(const Mesh &mesh, const std::set<uint64_t> &tiles) {
  Extent extent;
  extent.tiles = tiles.size();
  std::map<uint64_t, uint64_t> ofChip;
  for (uint64_t tile : tiles)
    extent.fullest = std::max(extent.fullest, ++ofChip[mesh.chipOf(tile)]);
  ofChip[mesh.chipOf(kHostTile)];
  // Routes go along rows first, and between all of these. So they pass every
  // chip between the outermost columns in each row that has one of them, and
  // every chip between the outermost rows in each such column.
  std::set<uint64_t> columns, rows;
  for (const auto &[chip, count] : ofChip) {
    columns.insert(chip % mesh.chipsX);
    rows.insert(chip / mesh.chipsX);
  }
  for (uint64_t y = *rows.begin(); y <= *rows.rbegin(); ++y)
    for (uint64_t x = *columns.begin(); x <= *columns.rbegin(); ++x)
      if (rows.count(y) || columns.count(x))
        extent.chips.insert(y * mesh.chipsX + x);
  return extent;
}

} // namespace dendrolith
