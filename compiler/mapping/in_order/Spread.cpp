// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/in_order/Spread.h"
#include "compiler/mapping/in_order/Split.h"
#include "compiler/mapping/result/Mapping.h"

#include "compiler/mapping/result/Bounds.h"
#include "targets/loader/Target.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace dendrolith {

std::optional<Misfit> spreadMisfit(const MapNetwork &network,
                                   const Target &target, uint32_t minCores,
                                   uint32_t maxCores) {
  uint64_t neurons = 0;
  for (const MapPopulation &population : network.populations)
    neurons += population.size;
  if (minCores > target.numCores())
    return Misfit{
        "cores", "", minCores, target.numCores(),
        fmt::format("at least {} cores are asked for, target '{}' has "
                    "{}; ask for fewer or choose another target",
                    minCores, target.name, target.numCores())};
  if (minCores > neurons)
    return Misfit{
        "cores", "", minCores, neurons,
        fmt::format("at least {} cores are asked for, but the network "
                    "has {} neurons to put on them; ask for fewer",
                    minCores, neurons)};
  if (maxCores > target.numCores())
    return Misfit{"cores", "", maxCores, target.numCores(),
                  fmt::format("at most {} cores are allowed, target '{}' has "
                              "{}; allow no more than these or choose another "
                              "target",
                              maxCores, target.name, target.numCores())};
  if (maxCores == 0)
    return std::nullopt;
  const LowerBounds bounds = lowerBounds(network, target);
  if (bounds.cores() > maxCores && bounds.cores() <= target.numCores()) {
    const Bound &bound = bounds.of[bounds.binding];
    const ResourceName &name = describe(bounds.binding);
    Misfit misfit{
        name.name, network.populations[bound.population].name, bounds.cores(),
        maxCores,
        fmt::format("at most {} cores of target '{}' are allowed, no mapping "
                    "takes fewer than {}: the network needs {} {}, {} of them "
                    "for population '{}', and a core has {}; allow more cores "
                    "with --cores",
                    maxCores, target.name, bounds.cores(), bound.total,
                    name.counted, bound.most,
                    network.populations[bound.population].name,
                    Capacity(target).of[bounds.binding])};
    misfit.bound = bounds.cores();
    return misfit;
  }
  return std::nullopt;
}

void splitFurther(Split &split, uint32_t pieces) {
  struct Slice {
    uint32_t population, first, count, core;
    uint32_t parts = 1;
  };
  std::vector<Slice> slices;
  for (uint32_t p = 0; p < split.starts.size(); ++p)
    for (size_t k = 0; k + 1 < split.starts[p].size(); ++k) {
      uint32_t first = split.starts[p][k];
      uint32_t core = split.packing.empty() ? 0 : split.packing[slices.size()];
      slices.push_back({p, first, split.starts[p][k + 1] - first, core});
    }
  for (size_t have = slices.size(); have < pieces; ++have) {
    // The largest part, rounded up, as a fraction would favour the smallest.
    auto part = [](const Slice &slice) {
      return (slice.count + slice.parts - 1) / slice.parts;
    };
    ++std::max_element(
          slices.begin(), slices.end(),
          [&](const Slice &a, const Slice &b) { return part(a) < part(b); })
          ->parts;
  }
  bool packed = !split.packing.empty();
  split.packing.clear();
  for (std::vector<uint32_t> &starts : split.starts)
    starts = {0};
  for (const Slice &slice : slices)
    for (uint64_t k = 1; k <= slice.parts; ++k) {
      split.starts[slice.population].push_back(
          uint32_t(slice.first + slice.count * k / slice.parts));
      if (packed)
        split.packing.push_back(slice.core);
    }
}

void spreadOver(const SliceGraph &graph, std::vector<uint32_t> &solution,
                uint32_t minCores) {
  uint32_t free = 0; // no lower core is empty
  for (uint64_t used = coresUsed(solution); used < minCores; ++used) {
    // By core and population: its slices, rising.
    std::map<uint32_t, std::map<uint32_t, std::vector<uint32_t>>> held;
    for (uint32_t s = 0; s < solution.size(); ++s)
      held[solution[s]][graph.slices[s].population].push_back(s);
    auto most = std::max_element(
        held.begin(), held.end(), [](const auto &a, const auto &b) {
          auto size = [](const auto &core) {
            return std::make_pair(core.second.size(),
                                  core.second.begin()->second.size());
          };
          return size(a) < size(b);
        });
    std::vector<uint32_t> moved;
    if (most->second.size() > 1) {
      auto work = [&](const auto &population) {
        double sum = 0;
        for (uint32_t s : population.second)
          sum += graph.work[s];
        return sum;
      };
      moved = std::max_element(most->second.begin(), most->second.end(),
                               [&](const auto &a, const auto &b) {
                                 return work(a) < work(b);
                               })
                  ->second;
    } else {
      const std::vector<uint32_t> &all = most->second.begin()->second;
      moved.assign(all.begin() + std::ptrdiff_t((all.size() + 1) / 2),
                   all.end());
    }
    while (held.count(free))
      ++free;
    for (uint32_t s : moved)
      solution[s] = free;
  }
}

} // namespace dendrolith
