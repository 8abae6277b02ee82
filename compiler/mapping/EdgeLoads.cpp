// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/EdgeLoads.h"

#include "compiler/mapping/ProjectionLists.h"
#include "compiler/mapping/search/Arrangement.h"
#include "targets/mesh/Routing.h"

#include <set>

namespace dendrolith {

namespace {

/// The host beside the ids of cores.
constexpr uint32_t kHost = UINT32_MAX;

/// Axons by sender and receiver: cores, or the host.
using CoreAxons = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

CoreAxons axonsBetween(const MapNetwork &network, const Target &target,
                       const std::vector<Slice> &slices) {
  const Cuts cuts = cutsOf(network, slices);
  std::vector<uint32_t> firstSlice;
  uint32_t all = 0;
  for (const auto &of : cuts.starts) {
    firstSlice.push_back(all);
    all += uint32_t(of.size()) - 1;
  }
  CoreAxons axons;
  auto add = [&](uint32_t from, uint32_t element,
                 const std::vector<ProjectionLists> &walks) {
    for (const ProjectionLists &walk : walks)
      walk.lists.forEach(
          element, [&](size_t k, const ListPlan &, uint64_t, uint64_t) {
            const uint32_t slice =
                firstSlice[walk.projection->target] + uint32_t(k);
            ++axons[{from, cuts.cores[slice]}];
          });
  };
  auto listsOf = [&](bool fromInput) {
    return listsBySource(network, target.synapses, cuts.starts, fromInput);
  };
  const auto ofInputs = listsOf(true), ofPopulations = listsOf(false);
  for (uint32_t i = 0; i < network.inputs.size(); ++i)
    for (uint32_t e = 0; e < network.inputs[i].size; ++e)
      add(kHost, e, ofInputs[i]);
  for (uint32_t p = 0; p < network.populations.size(); ++p) {
    const uint32_t sources = network.populations[p].sources;
    for (size_t s = 0; s + 1 < cuts.starts[p].size(); ++s) {
      const uint32_t core = cuts.cores[firstSlice[p] + s];
      const uint32_t first = cuts.starts[p][s], end = cuts.starts[p][s + 1];
      for (uint32_t e = first * sources; e < end * sources; ++e)
        add(core, e, ofPopulations[p]);
      if (const uint64_t outputs = network.hostOutputs(p))
        axons[{core, kHost}] += outputs * (end - first);
    }
  }
  return axons;
}

} // namespace

EdgeLoads::EdgeLoads(const MapNetwork &network, const Target &target,
                     const std::vector<Slice> &slices)
    : mesh(target.mesh) {
  for (const Slice &slice : slices) {
    chips[slice.core] = uint32_t(slice.core / target.coresPerChip());
    of[slice.core];
  }
  for (const auto &[ends, count] : axonsBetween(network, target, slices)) {
    for (uint32_t core : {ends.first, ends.second})
      if (core != kHost)
        of[core].push_back(flows.size());
    flows.push_back({ends.first, ends.second, count});
  }
  for (const Flow &flow : flows)
    add(flow, +1);
}

void EdgeLoads::put(const Moves &moves) {
  std::set<size_t> touched;
  for (const auto &[core, chip] : moves)
    touched.insert(of.at(core).begin(), of.at(core).end());
  for (size_t flow : touched)
    add(flows[flow], -1);
  for (const auto &[core, chip] : moves)
    chips[core] = chip;
  for (size_t flow : touched)
    add(flows[flow], +1);
  looked += touched.size();
}

EdgeAxons EdgeLoads::edges() const {
  EdgeAxons used;
  for (const auto &[edge, axons] : load)
    if (axons)
      used[edge] = axons;
  return used;
}

uint32_t EdgeLoads::placeOf(uint32_t core, uint32_t partner) const {
  if (core != kHost)
    return chips.at(core);
  return mesh.hostOnEach ? chips.at(partner) : uint32_t(mesh.chipOf(kHostTile));
}

uint64_t EdgeLoads::over(uint64_t axons) const {
  const uint64_t limit = mesh.edgeAxons.value_or(UINT64_MAX);
  return axons > limit ? axons - limit : 0;
}

/// The edges that messages between tiles of two chips cross, which are the same
/// for all tiles.
const std::vector<EdgeLoads::Edge> &EdgeLoads::wayBetween(uint32_t from,
                                                          uint32_t to) {
  const auto [known, isNew] = ways.try_emplace({from, to});
  if (isNew)
    forEachLink(mesh, from * mesh.tilesPerChip(), to * mesh.tilesPerChip(),
                [&way = known->second, this](const MeshLink &link) {
                  const auto at = uint32_t(mesh.chipOf(link.from)),
                             next = uint32_t(mesh.chipOf(link.to));
                  if (at != next)
                    way.push_back({at, next});
                });
  return known->second;
}

void EdgeLoads::add(const Flow &flow, int sign) {
  const uint64_t change = sign > 0 ? flow.axons : uint64_t(0) - flow.axons;
  for (const Edge &edge :
       wayBetween(placeOf(flow.from, flow.to), placeOf(flow.to, flow.from))) {
    uint64_t &axons = load[edge];
    beyond -= over(axons);
    axons += change;
    beyond += over(axons);
    crossing += change;
  }
}

} // namespace dendrolith
