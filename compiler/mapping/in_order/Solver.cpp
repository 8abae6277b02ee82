// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/Solver.h"

#include "targets/mesh/Routing.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dendrolith {

PartitionProblem::PartitionProblem(const SliceGraph &slices,
                                   const Capacity &capacity, uint32_t numCores)
    : nets(slices.nets), numSlices(static_cast<uint32_t>(slices.slices.size())),
      numCores(numCores), demand(slices.demand), work(slices.work),
      capacity(capacity) {}

std::optional<Misfit> PartitionProblem::check() const {
  if (demand.size() != numSlices || work.size() != numSlices)
    throw Error(fmt::format("partition: expected demand and work of {} slices, "
                            "found {} and {}",
                            numSlices, demand.size(), work.size()));
  if (numSlices > 0 && numCores == 0)
    throw Error("partition: expected at least one core, found none");
  Demand total;
  for (uint32_t s = 0; s < numSlices; ++s) {
    int r = exceeded(demand[s], Demand(), capacity);
    if (r != numResources)
      return Misfit{
          describe(Resource(r)).name, "", demand[s].used(r), capacity.of[r],
          fmt::format("partition: slice {} needs {} {}, a core has {}", s,
                      demand[s].used(r), describe(Resource(r)).counted,
                      capacity.of[r])};
    total.addSums(demand[s]);
  }
  for (int r = 0; r < numSums; ++r) {
    uint64_t sum = total.sums[r], limit = capacity.of[r];
    if (limit != unlimited && sum / limit + (sum % limit != 0) > numCores)
      return Misfit{
          describe(Resource(r)).name, "", sum, numCores * limit,
          fmt::format("partition: the slices need {} {}, {} cores have {} each",
                      sum, describe(Resource(r)).counted, numCores, limit)};
  }
  return std::nullopt;
}

void PartitionProblem::verify(const Solution &solution) const {
  if (solution.size() != numSlices)
    throw Error(fmt::format("partition: expected a core for each of {} slices, "
                            "found {}",
                            numSlices, solution.size()));
  std::vector<Demand> cores(numCores);
  for (uint32_t s = 0; s < numSlices; ++s) {
    if (solution[s] >= numCores)
      throw Error(fmt::format("partition: slice {} is on core {} of {}", s,
                              solution[s], numCores));
    cores[solution[s]].add(demand[s]);
  }
  for (uint32_t c = 0; c < numCores; ++c) {
    int r = exceeded(cores[c], Demand(), capacity);
    if (r != numResources)
      throw Error(fmt::format("partition: core {} needs {} {}, it has {}", c,
                              cores[c].used(r), describe(Resource(r)).counted,
                              capacity.of[r]));
  }
}

double PartitionProblem::cost(const Solution &solution) const {
  double cut = 0;
  for (const Net &net : nets)
    for (const Net::Pin &pin : net.pins)
      if (net.source != host && solution[pin.slice] != solution[net.source])
        cut += net.rate * pin.messages;
  std::vector<double> load(numCores, 0);
  for (uint32_t s = 0; s < numSlices; ++s)
    load[solution[s]] += work[s];
  return cut + (load.empty() ? 0 : *std::max_element(load.begin(), load.end()));
}

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
