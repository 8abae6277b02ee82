// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/result/Needs.h"

#include "compiler/mapping/result/Bounds.h"
#include "compiler/mapping/result/Misfits.h"

namespace dendrolith {

std::vector<Need> leastNeeds(const MapNetwork &network, const Target &target) {
  const LowerBounds bounds = lowerBounds(network, target);
  const Capacity capacity(target);
  std::vector<Need> needs;
  for (int r = 0; r < numResources; ++r) {
    if (capacity.of[r] == unlimited || network.populations.empty())
      continue;
    const ResourceName &name = describe(Resource(r));
    const Bound &bound = bounds.of[r];
    Need need;
    need.resource = name.name;
    need.unit = name.unit;
    need.population = network.populations[bound.population].name;
    need.used = bound.total;
    need.limit = target.numCores() * capacity.of[r];
    need.cores = bound.cores;
    need.available = target.numCores();
    need.remedy = remedyFor(Resource(r));
    needs.push_back(std::move(need));
  }
  return needs;
}

} // namespace dendrolith
