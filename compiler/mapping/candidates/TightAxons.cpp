// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/TightAxons.h"

#include "compiler/mapping/in_order/InOrder.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {

/// Limits below that of the target: each number up to 16, then an eighth more
/// than the one before.
static std::vector<uint64_t> limitsBelow(uint64_t limit) {
  std::vector<uint64_t> limits;
  for (uint64_t each = 1; each < limit; each += std::max<uint64_t>(1, each / 8))
    limits.push_back(each);
  return limits;
}

void tryTighterAxons(const SearchSpace &space, std::vector<Candidate> &found) {
  const std::optional<uint64_t> &limit = space.target.limits.outAxons;
  if (!limit || !space.axonsBind || !space.isSmall() ||
      (space.goal == Goal::Cores && !found.empty()))
    return;
  const Solver &solver = findSolver("default");
  const std::vector<uint64_t> limits = limitsBelow(*limit);
  std::vector<std::optional<Candidate>> made(limits.size());
  space.threads->share(limits.size(), [&](size_t i) {
    if (space.isOver())
      return;
    space.progress.begin(fmt::format("cut for {} out-axons", limits[i]));
    Target tight = space.target;
    tight.limits.outAxons = limits[i];
    Fit<Mapping> mapping = mapInOrder(space.network, space.target, solver,
                                      space.options.minCores, &tight);
    if (!mapping && space.options.minCores)
      mapping = mapInOrder(space.network, space.target, solver, 0, &tight);
    if (mapping)
      made[i] = space.take(
          fmt::format("given order, cut for {} out-axons", limits[i]),
          *mapping);
  });
  for (std::optional<Candidate> &each : made)
    if (each)
      found.push_back(std::move(*each));
}

} // namespace dendrolith
