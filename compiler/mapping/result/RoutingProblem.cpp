// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/result/RoutingProblem.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace dendrolith {

static RouteTree routesOf(const Mesh &mesh, const RoutingProblem::Tree &tree) {
  RouteTree routes(mesh, tree.from);
  for (uint32_t to : tree.to)
    routes.add(to);
  return routes;
}

RoutingProblem::RoutingProblem(const Target &target, const SliceGraph &slices,
                               const std::vector<uint32_t> &cores)
    : mesh(target.mesh) {
  std::map<std::pair<uint32_t, uint32_t>, double> sums;
  auto tile = [&](uint32_t slice) {
    return uint32_t(target.tileOf(cores[slice]));
  };
  auto from = [&](uint32_t source) {
    return source == host ? uint32_t(kHostTile) : tile(source);
  };
  std::map<std::pair<uint32_t, std::vector<uint32_t>>, double> nets;
  for (const Net &net : slices.nets) {
    if (mesh.multicast) {
      std::vector<uint32_t> to;
      for (const Net::Pin &pin : net.pins)
        to.push_back(tile(pin.slice));
      std::sort(to.begin(), to.end());
      to.erase(std::unique(to.begin(), to.end()), to.end());
      nets[{from(net.source), std::move(to)}] += net.rate;
      continue;
    }
    for (const Net::Pin &pin : net.pins)
      sums[{from(net.source), tile(pin.slice)}] += net.rate * pin.messages;
  }
  for (const auto &net : nets)
    trees.push_back({net.first.first, net.first.second, net.second});
  for (uint32_t s = 0; s < slices.slices.size(); ++s)
    if (slices.toHost[s] > 0)
      sums[{tile(s), uint32_t(kHostTile)}] += slices.toHost[s];
  for (const auto &flow : sums)
    flows.push_back({flow.first.first, flow.first.second, flow.second});
}

void RoutingProblem::checkFlow(uint32_t from, uint32_t to,
                               double messages) const {
  const uint64_t tiles = mesh.tiles();
  if (from >= tiles || to >= tiles)
    throw Error(fmt::format("routing: a flow from tile {} to {}, the mesh has "
                            "{} tiles",
                            from, to, tiles));
  if (!std::isfinite(messages) || messages < 0)
    throw Error(fmt::format("routing: expected messages per tick >= 0 from "
                            "tile {} to {}, found {}",
                            from, to, messages));
}

void RoutingProblem::check() const {
  for (const Flow &flow : flows)
    checkFlow(flow.from, flow.to, flow.messages);
  for (const Tree &tree : trees)
    for (uint32_t to : tree.to)
      checkFlow(tree.from, to, tree.messages);
}

RoutingProblem::Solution RoutingProblem::solve() const {
  Solution solution;
  solution.load.assign(mesh.tiles() * numDirections, 0);
  for (const Flow &flow : flows)
    forEachLink(mesh, flow.from, flow.to, [&](const MeshLink &link) {
      solution.load[indexOf(link.from, link.direction)] += flow.messages;
    });
  for (const Tree &tree : trees)
    routesOf(mesh, tree).forEachLink([&](const MeshLink &link) {
      solution.load[indexOf(link.from, link.direction)] += tree.messages;
    });
  return solution;
}

/// The loads without the trees. The links of a tree are found as the definition
/// says: those of the routes to all destinations, each once.
std::vector<double>
RoutingProblem::loadOfFlows(const Solution &solution) const {
  std::vector<double> load = solution.load;
  std::vector<size_t> lastTree(load.size(), trees.size());
  for (size_t t = 0; t < trees.size(); ++t)
    for (uint32_t to : trees[t].to)
      forEachLink(mesh, trees[t].from, to, [&](const MeshLink &link) {
        const uint64_t index = indexOf(link.from, link.direction);
        if (std::exchange(lastTree[index], t) != t)
          load[index] -= trees[t].messages;
      });
  return load;
}

void RoutingProblem::verify(const Solution &solution) const {
  uint64_t tiles = mesh.tiles();
  if (solution.load.size() != tiles * numDirections)
    throw Error(fmt::format("routing: expected loads of {} links, found {}",
                            tiles * numDirections, solution.load.size()));
  const std::vector<double> flowLoad = loadOfFlows(solution);
  // Messages that flow in or start here also flow out or end here.
  std::vector<double> balance(tiles, 0);
  double total = 0, asked = 0, scale = 0;
  for (const Flow &flow : flows) {
    balance[flow.from] += flow.messages;
    balance[flow.to] -= flow.messages;
    asked += flow.messages;
  }
  for (const Tree &tree : trees)
    asked += tree.messages;
  for (uint64_t tile = 0; tile < tiles; ++tile) {
    const TileXY at = mesh.at(tile);
    // In the order of Direction.
    const bool exists[] = {at.x + 1 < mesh.tilesX, at.x > 0, at.y > 0,
                           at.y + 1 < mesh.tilesY};
    const TileXY next[] = {
        {at.x + 1, at.y}, {at.x - 1, at.y}, {at.x, at.y - 1}, {at.x, at.y + 1}};
    for (int d = 0; d < numDirections; ++d) {
      double load = solution.load[tile * numDirections + d];
      if (load < 0 || (load > 0 && !exists[d]))
        throw Error(fmt::format("routing: link {} of tile {} carries {} "
                                "messages per tick",
                                d, tile, load));
      total += load;
      const double flow = flowLoad[indexOf(tile, Direction(d))];
      if (flow == 0)
        continue;
      balance[tile] -= flow;
      balance[mesh.tileAt(next[d])] += flow;
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
  for (const Tree &tree : trees)
    sum += tree.messages * double(routesOf(mesh, tree).hops().total());
  return sum;
}

double RoutingProblem::maxLoad(const Solution &solution) {
  double most = 0;
  for (double load : solution.load)
    most = std::max(most, load);
  return most;
}

} // namespace dendrolith
