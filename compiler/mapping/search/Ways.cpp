// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/Ways.h"

#include "targets/loader/Routing.h"

#include <algorithm>

namespace neurite {

Ways waysBetween(const std::vector<uint32_t> &cores, const Target &target,
                 const ChipModel &model) {
  const double ew = std::max(model.prices.hopEw, 1e-3),
               ns = std::max(model.prices.hopNs, 1e-3);
  const double each = model.prices.send + model.prices.message;
  auto way = [&](TileXY a, TileXY b) {
    Hops hops = hopsBetween(a, b);
    return each + double(hops.ew) * ew + double(hops.ns) * ns;
  };
  Ways ways;
  for (uint32_t a : cores) {
    ways.toHost.push_back(way(target.coreXY(a), target.mesh.at(kHostTile)));
    for (uint32_t b : cores)
      ways.between.push_back(way(target.coreXY(a), target.coreXY(b)));
  }
  return ways;
}

} // namespace neurite
