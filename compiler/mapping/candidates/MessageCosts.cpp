// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/MessageCosts.h"

#include "targets/mesh/Routing.h"

#include <algorithm>

namespace dendrolith {

MessageCosts messageCosts(const std::vector<uint32_t> &cores,
                          const Target &target, const ChipModel &model) {
  const double ew = std::max(model.prices.hopEw, 1e-3),
               ns = std::max(model.prices.hopNs, 1e-3);
  // Where it has no price it stands for the hops that take as long.
  const NocTiming &noc = model.timing.noc;
  const double crossing =
      model.prices.crossing > 0
          ? model.prices.crossing
          : ew * double(noc.crossing.forward) /
                double(std::max<uint64_t>(noc.east.forward, 1));
  const double each = model.prices.send + model.prices.message;
  auto costBetween = [&](TileXY a, TileXY b) {
    Hops hops = hopsBetween(target.mesh, a, b);
    return each + double(hops.ew) * ew + double(hops.ns) * ns +
           double(hops.crossings) * crossing;
  };
  MessageCosts costs;
  for (uint32_t a : cores) {
    costs.toHost.push_back(
        costBetween(target.coreXY(a), target.mesh.at(kHostTile)));
    for (uint32_t b : cores)
      costs.between.push_back(costBetween(target.coreXY(a), target.coreXY(b)));
  }
  return costs;
}

} // namespace dendrolith
