// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/ChipEdges.h"

#include "compiler/mapping/EdgeLoads.h"

#include <fmt/format.h>

namespace dendrolith {

bool limitsEdges(const Target &target) {
  return target.mesh.edgeAxons && target.mesh.chips() > 1;
}

EdgeAxons edgeAxons(const MapNetwork &network, const Target &target,
                    const std::vector<Slice> &slices) {
  return EdgeLoads(network, target, slices).edges();
}

std::optional<Misfit> edgeMisfit(const MapNetwork &network,
                                 const Target &target,
                                 const std::vector<Slice> &slices) {
  if (!limitsEdges(target))
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
  if (!limitsEdges(target))
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

} // namespace dendrolith
