// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/PlacementProblem.h"

#include "targets/mesh/Routing.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dendrolith {

PlacementProblem::PlacementProblem(const SliceGraph &slices,
                                   const PartitionProblem::Solution &partition,
                                   uint32_t numLogical,
                                   std::vector<TileXY> positions)
    : graph(numLogical), toHost(numLogical, 0),
      positions(std::move(positions)) {
  std::map<std::pair<uint32_t, uint32_t>, double> traffic;
  for (const Net &net : slices.nets)
    for (const Net::Pin &pin : net.pins) {
      double messages = net.rate * pin.messages;
      uint32_t to = partition[pin.slice];
      if (net.source == host) {
        toHost[to] += messages;
        continue;
      }
      uint32_t from = partition[net.source];
      if (from != to)
        traffic[{std::min(from, to), std::max(from, to)}] += messages;
    }
  for (uint32_t s = 0; s < slices.slices.size(); ++s)
    toHost[partition[s]] += slices.toHost[s];
  for (const auto &edge : traffic)
    boost::add_edge(edge.first.first, edge.first.second, Edge{edge.second},
                    graph);
}

void PlacementProblem::check() const {
  if (boost::num_vertices(graph) > positions.size())
    throw Error(fmt::format("placement: {} cores, but {} positions",
                            boost::num_vertices(graph), positions.size()));
}

void PlacementProblem::verify(const Solution &solution) const {
  size_t cores = boost::num_vertices(graph);
  if (solution.size() != cores)
    throw Error(fmt::format("placement: expected positions of {} cores, found "
                            "{}",
                            cores, solution.size()));
  std::vector<bool> taken(positions.size(), false);
  for (size_t c = 0; c < cores; ++c) {
    if (solution[c] >= positions.size())
      throw Error(fmt::format("placement: core {} is on position {} of {}", c,
                              solution[c], positions.size()));
    if (taken[solution[c]])
      throw Error(
          fmt::format("placement: two cores are on position {}", solution[c]));
    taken[solution[c]] = true;
  }
}

double PlacementProblem::cost(const Solution &solution) const {
  double sum = 0;
  auto [begin, end] = boost::edges(graph);
  for (auto e = begin; e != end; ++e)
    sum += graph[*e].messages *
           double(hopsBetween(positions[solution[boost::source(*e, graph)]],
                              positions[solution[boost::target(*e, graph)]])
                      .total());
  for (size_t c = 0; c < toHost.size(); ++c)
    sum += toHost[c] * hostDistance(positions[solution[c]]);
  return sum;
}

void PlacementProblem::putOn(const Target &target) {
  perChip = uint32_t(target.coresPerChip());
}

double hostDistance(TileXY position) {
  return double(hopsBetween(position, TileXY()).total());
}

/// How many hops a link between chips is longer than one within a chip.
static uint64_t gapOfChips(const Target &target) {
  if (target.mesh.chips() == 1)
    return 0;
  const NocTiming &noc = target.timing().noc;
  const uint64_t hop = (noc.east.forward + noc.north.forward) / 2;
  return noc.crossing.forward / std::max<uint64_t>(hop, 1);
}

std::vector<TileXY> usablePositions(const Target &target, uint64_t slices) {
  uint64_t count = std::max<uint64_t>(4096, slices);
  if (const uint64_t each = target.coresPerChip(); target.mesh.chips() > 1)
    count = (count + each - 1) / each * each; // whole chips
  count = std::min(target.numCores(), count);
  const uint64_t gap = gapOfChips(target);
  const Mesh &mesh = target.mesh;
  std::vector<TileXY> positions;
  for (uint64_t core = 0; core < count; ++core) {
    const TileXY at = target.coreXY(core);
    positions.push_back({at.x + at.x / mesh.chipTilesX() * gap,
                         at.y + at.y / mesh.chipTilesY() * gap});
  }
  return positions;
}

} // namespace dendrolith
