// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/RoutingProblem.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace neurite {

RoutingProblem::RoutingProblem(const Target &target, const SliceGraph &slices,
                               const std::vector<uint32_t> &cores)
    : mesh(target.mesh) {
  std::map<std::pair<uint32_t, uint32_t>, double> sums;
  auto tile = [&](uint32_t slice) {
    return uint32_t(slice == host ? kHostTile : target.tileOf(cores[slice]));
  };
  for (const Net &net : slices.nets)
    for (const Net::Pin &pin : net.pins)
      sums[{tile(net.source), tile(pin.slice)}] += net.rate * pin.messages;
  for (uint32_t s = 0; s < slices.slices.size(); ++s)
    if (slices.toHost[s] > 0)
      sums[{tile(s), uint32_t(kHostTile)}] += slices.toHost[s];
  for (const auto &flow : sums)
    flows.push_back({flow.first.first, flow.first.second, flow.second});
}

void RoutingProblem::check() const {
  uint64_t tiles = mesh.tiles();
  for (const Flow &flow : flows) {
    if (flow.from >= tiles || flow.to >= tiles)
      throw Error(
          fmt::format("routing: a flow from tile {} to {}, the mesh has "
                      "{} tiles",
                      flow.from, flow.to, tiles));
    if (!std::isfinite(flow.messages) || flow.messages < 0)
      throw Error(fmt::format("routing: expected messages per tick >= 0 from "
                              "tile {} to {}, found {}",
                              flow.from, flow.to, flow.messages));
  }
}

RoutingProblem::Solution RoutingProblem::solve() const {
  Solution solution;
  solution.load.assign(mesh.tiles() * numDirections, 0);
  for (const Flow &flow : flows)
    forEachLink(mesh, flow.from, flow.to, [&](const MeshLink &link) {
      solution.load[indexOf(link.from, link.direction)] += flow.messages;
    });
  return solution;
}

void RoutingProblem::verify(const Solution &solution) const {
  uint64_t tiles = mesh.tiles();
  if (solution.load.size() != tiles * numDirections)
    throw Error(fmt::format("routing: expected loads of {} links, found {}",
                            tiles * numDirections, solution.load.size()));
  // What flows in and starts here also flows out or ends here.
  std::vector<double> balance(tiles, 0);
  double total = 0, asked = 0, scale = 0;
  for (const Flow &flow : flows) {
    balance[flow.from] += flow.messages;
    balance[flow.to] -= flow.messages;
    asked += flow.messages;
  }
  for (uint64_t tile = 0; tile < tiles; ++tile) {
    const TileXY at = mesh.at(tile);
    // In the order of Direction.
    const bool exists[] = {at.x + 1 < mesh.tilesX, at.x > 0, at.y > 0,
                           at.y + 1 < mesh.tilesY};
    const int64_t step[] = {1, -1, -int64_t(mesh.tilesX), int64_t(mesh.tilesX)};
    for (int d = 0; d < numDirections; ++d) {
      double load = solution.load[tile * numDirections + d];
      if (load < 0 || (load > 0 && !exists[d]))
        throw Error(fmt::format("routing: link {} of tile {} carries {} "
                                "messages per tick",
                                d, tile, load));
      total += load;
      if (load == 0)
        continue;
      balance[tile] -= load;
      balance[tile + step[d]] += load;
    }
  }
  scale = 1e-9 * (1 + asked + total);
  for (uint64_t tile = 0; tile < tiles; ++tile)
    if (std::abs(balance[tile]) > scale)
      throw Error(fmt::format("routing: tile {} loses {} messages per tick",
                              tile, balance[tile]));
  if (std::abs(total - hops()) > scale)
    throw Error(fmt::format("routing: expected {} link traversals per tick, "
                            "found {}",
                            hops(), total));
}

double RoutingProblem::hops() const {
  double sum = 0;
  for (const Flow &flow : flows) {
    sum += flow.messages *
           double(hopsBetween(mesh.at(flow.from), mesh.at(flow.to)).total());
  }
  return sum;
}

double RoutingProblem::maxLoad(const Solution &solution) {
  double most = 0;
  for (double load : solution.load)
    most = std::max(most, load);
  return most;
}

} // namespace neurite
