// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/ChipEdges.h"

#include "compiler/mapping/ProjectionLists.h"
#include "compiler/mapping/search/Arrangement.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace neurite {

namespace {

bool isLimited(const Target &target) {
  return target.mesh.edgeAxons && target.mesh.chips() > 1;
}

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

/// Axons over edges, with every core on a chip that may change.
class Board {
public:
  Board(const MapNetwork &network, const Target &target,
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

  uint32_t chipOf(uint32_t core) const { return chips.at(core); }
  const std::map<uint32_t, uint32_t> &cores() const { return chips; }

  /// Puts cores on chips.
  void put(const std::vector<std::pair<uint32_t, uint32_t>> &moves) {
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

  /// What is beyond the limit in all, and what crosses.
  std::pair<uint64_t, uint64_t> burden() const { return {beyond, crossing}; }
  uint64_t effort() const { return looked; }

  EdgeAxons edges() const {
    EdgeAxons used;
    for (const auto &[edge, axons] : load)
      if (axons)
        used[edge] = axons;
    return used;
  }

private:
  struct Flow {
    uint32_t from, to;
    uint64_t axons;
  };

  uint32_t placeOf(uint32_t core, uint32_t partner) const {
    if (core != kHost)
      return chips.at(core);
    return mesh.hostOnEach ? chips.at(partner)
                           : uint32_t(mesh.chipOf(kHostTile));
  }

  uint64_t over(uint64_t axons) const {
    const uint64_t limit = mesh.edgeAxons.value_or(UINT64_MAX);
    return axons > limit ? axons - limit : 0;
  }

  void add(const Flow &flow, int sign) {
    const auto wide = uint32_t(mesh.chipsX);
    uint32_t at = placeOf(flow.from, flow.to);
    const uint32_t end = placeOf(flow.to, flow.from);
    while (at != end) {
      uint32_t next = at;
      if (at % wide != end % wide)
        next = at % wide < end % wide ? at + 1 : at - 1;
      else
        next = at < end ? at + wide : at - wide;
      uint64_t &axons = load[{at, next}];
      beyond -= over(axons);
      axons += sign > 0 ? flow.axons : uint64_t(0) - flow.axons;
      beyond += over(axons);
      crossing += sign > 0 ? flow.axons : uint64_t(0) - flow.axons;
      at = next;
    }
  }

  const Mesh &mesh;
  std::vector<Flow> flows;
  std::map<uint32_t, uint32_t> chips;         // by core
  std::map<uint32_t, std::vector<size_t>> of; // flows by core
  EdgeAxons load;
  uint64_t beyond = 0, crossing = 0, looked = 0;
};

/// Cores change chips, or change places with others, while that helps.
class Keeper {
public:
  Keeper(Board &board, const Target &target)
      : board(board), chips(uint32_t(target.mesh.chips())),
        room(target.mesh.chips(), target.coresPerChip()) {
    for (const auto &[core, chip] : board.cores()) {
      cores.push_back(core);
      --room[chip];
    }
  }

  void run() {
    for (bool any = true; any && board.burden().first && !isTired();) {
      any = false;
      for (uint32_t core : cores)
        any |= improve(core);
    }
  }

private:
  // Flows that are looked at in all; some seconds.
  static constexpr uint64_t kEffort = 20000000;
  bool isTired() const { return board.effort() > kEffort; }

  bool improve(uint32_t core) {
    bool any = false;
    for (uint32_t chip = 0; chip < chips; ++chip) {
      const uint32_t from = board.chipOf(core);
      if (chip == from || isTired())
        continue;
      if (room[chip] && tryMoves({{core, chip}}, {{core, from}})) {
        --room[chip];
        ++room[from];
        any = true;
        continue;
      }
      for (uint32_t other : cores)
        if (board.chipOf(other) == chip &&
            tryMoves({{core, chip}, {other, from}},
                     {{core, from}, {other, chip}})) {
          any = true;
          break;
        }
    }
    return any;
  }

  using Moves = std::vector<std::pair<uint32_t, uint32_t>>;
  bool tryMoves(const Moves &moves, const Moves &back) {
    if (!board.burden().first)
      return false;
    const auto before = board.burden();
    board.put(moves);
    if (board.burden() < before)
      return true;
    board.put(back);
    return false;
  }

  Board &board;
  const uint32_t chips;
  std::vector<uint32_t> cores;
  std::vector<uint64_t> room; // by chip: cores that are free
};

} // namespace

EdgeAxons edgeAxons(const MapNetwork &network, const Target &target,
                    const std::vector<Slice> &slices) {
  return Board(network, target, slices).edges();
}

bool keepEdges(const MapNetwork &network, const Target &target,
               std::vector<Slice> &slices) {
  if (!isLimited(target))
    return false;
  Board board(network, target, slices);
  if (!board.burden().first)
    return false;
  Keeper(board, target).run();
  const auto perChip = uint32_t(target.coresPerChip());
  std::set<uint32_t> taken;
  std::map<uint32_t, uint32_t> to; // by core, its new id
  for (const auto &[core, chip] : board.cores())
    if (chip == core / perChip) {
      to[core] = core;
      taken.insert(core);
    }
  for (const auto &[core, chip] : board.cores()) {
    if (to.count(core))
      continue;
    uint32_t next = chip * perChip;
    while (taken.count(next))
      ++next;
    to[core] = next;
    taken.insert(next);
  }
  for (Slice &slice : slices)
    slice.core = to.at(slice.core);
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice &a, const Slice &b) {
                     return std::tie(a.core, a.base) < std::tie(b.core, b.base);
                   });
  return true;
}

std::optional<Misfit> edgeMisfit(const MapNetwork &network,
                                 const Target &target,
                                 const std::vector<Slice> &slices) {
  if (!isLimited(target))
    return std::nullopt;
  const uint64_t limit = *target.mesh.edgeAxons;
  std::pair<uint32_t, uint32_t> worst;
  uint64_t most = limit;
  for (const auto &[edge, axons] : edgeAxons(network, target, slices))
    if (axons > most) {
      most = axons;
      worst = edge;
    }
  if (most == limit)
    return std::nullopt;
  return Misfit{
      "chip edge", "", most, limit,
      fmt::format("the edge from chip {} to chip {}: {} axons lead over it, "
                  "'{}' has room for {}: what would make it fit is fewer "
                  "cores (--cores), so that what talks to each other shares a "
                  "chip, larger chips, board.host_on_each=true where it is "
                  "inputs and outputs, another target, or "
                  "board.edge_axons=unlimited",
                  worst.first, worst.second, most, target.name, limit)};
}

void addEdgeRows(const MapNetwork &network, const Target &target,
                 Mapping &mapping) {
  if (!isLimited(target))
    return;
  for (const auto &[edge, axons] : edgeAxons(network, target, mapping.slices)) {
    FitRow row;
    row.resource = fmt::format("chip edge {} to {}", edge.first, edge.second);
    row.unit = "axons";
    row.used = axons;
    row.limit = *target.mesh.edgeAxons;
    row.worstCore = edge.first * uint32_t(target.coresPerChip());
    mapping.fit.push_back(std::move(row));
  }
}

} // namespace neurite
