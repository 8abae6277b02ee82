// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/constraints/AdjustMisfits.h"

#include "compiler/mapping/network/Demand.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {

using namespace cluster;

static std::string keeping(const AdjustUnits &all) {
  return all.options.constraintsFile.empty()
             ? std::string("no mapping was found")
             : fmt::format("no mapping was found that keeps '{}'",
                           all.options.constraintsFile);
}

Misfit nowhere(const AdjustUnits &all, uint32_t unit) {
  const std::string entry = all.rules.entryOf(unit);
  return {"cores", "", 0, all.most(),
          fmt::format("{}: {} finds no core that the other neurons and the "
                      "constraints leave it{}; ask for less, or allow more "
                      "than {} cores",
                      keeping(all), all.nameOf(unit),
                      entry.empty() ? "" : " (" + entry + ")", all.most())};
}

Misfit tooMuch(const AdjustUnits &all, const Parts &parts, uint32_t worst) {
  CoreLimits limits = all.limits;
  limits.work = 0;
  Resource resource = limits.worst(parts.useOf(worst));
  if (resource == numResources)
    resource = DecayProfiles;
  const Needs &use = parts.useOf(worst);
  const double used[] = {use.slots, use.words, use.in, use.out,
                         limits.bytesOf(use)};
  std::string entry, who;
  uint64_t largest = 0;
  for (uint32_t u = 0; u < all.units.vertices.size(); ++u)
    if (parts.partOf(all.units.vertices[u].front()) == worst &&
        all.units.neurons[u] > largest) {
      largest = all.units.neurons[u];
      who = all.nameOf(u);
      entry = all.rules.entryOf(u);
    }
  const ResourceName &name = describe(resource);
  return {
      name.name, "", 0, limits.capacity.of[resource],
      fmt::format("{}: core {} would need more {} than the {} that it has{}{}; "
                  "ask for less there, for more cores, or for {}",
                  keeping(all), all.places[worst], name.counted,
                  limits.capacity.of[resource],
                  resource < ProgramWords
                      ? fmt::format(", about {:.0f}", used[resource])
                      : "",
                  entry.empty() ? " with " + who
                                : fmt::format(" with {} ({})", who, entry),
                  name.less)};
}

Misfit tooManyMoves(const AdjustUnits &all, uint64_t moved) {
  return {"moves", "", moved, all.beginning.maxMoves,
          fmt::format("{} neurons cannot stay on their cores of '{}', "
                      "max-moves allows {}; allow more, or leave it out",
                      moved, all.options.mapFrom, all.beginning.maxMoves)};
}

Misfit otherCores(const AdjustUnits &all, uint64_t used) {
  return {"cores", "", used, all.most(),
          fmt::format("{}: from these cores on {} were used, {} to {} are "
                      "asked for; ask for others (--cores)",
                      keeping(all), used, std::max(all.options.minCores, 1u),
                      all.most())};
}

} // namespace dendrolith
