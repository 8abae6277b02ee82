// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/CoreSweep.h"
#include "compiler/mapping/candidates/Cut.h"

#include "compiler/mapping/candidates/Reevaluate.h"
#include "compiler/mapping/candidates/Tiles.h"
#include "compiler/mapping/result/Bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dendrolith {

namespace {

/// Numbers of cores to look at, each 1.25 times the last one or more where the
/// network is large.
std::vector<uint32_t> ladder(const SearchSpace &space, uint32_t from) {
  // Each candidate reads each synapse about three times.
  const double looks = std::clamp<double>(double(SearchSpace::kReadBudget) /
                                              (3 * double(space.synapses + 1)),
                                          2, 24);
  const double span = std::log(double(space.most) / from);
  const double ratio = std::max(1.25, std::exp(span / looks));
  std::vector<uint32_t> steps;
  for (double k = from; k < double(space.most) * 0.97;
       k = std::max(k * ratio, k + 1))
    steps.push_back(uint32_t(std::lround(k)));
  steps.push_back(space.most);
  return steps;
}

} // namespace

void sweepCores(const SearchSpace &space, std::vector<Candidate> &found,
                const std::string &how, const std::vector<uint32_t> &parts,
                bool inTiles) {
  const WorkSums sums = sumUp(space.loads());
  uint32_t from = space.least;
  if (!found.empty() && !inTiles)
    from = std::max(from, found.front().eval.cores);
  if (from > space.most)
    return;
  auto look = [&](uint32_t cores) -> std::optional<Candidate> {
    if (space.isOver())
      return std::nullopt;
    space.progress.begin(fmt::format("{}, {} cores", how, cores));
    SliceStarts starts = cutByWork(sums, parts, cores);
    const NeuronOrder order =
        inTiles ? orderInTiles(space.network, starts) : NeuronOrder();
    return space.cut(*space.inOrder(order), order, how, std::move(starts),
                     cores);
  };
  // Candidates do not depend on each other; they are added in the order of the
  // counts.
  auto lookAtAll = [&](const std::vector<uint32_t> &counts) {
    std::vector<std::optional<Candidate>> made(counts.size());
    space.threads->share(counts.size(),
                         [&](size_t i) { made[i] = look(counts[i]); });
    for (std::optional<Candidate> &each : made)
      if (each)
        found.push_back(std::move(*each));
  };
  const std::vector<uint32_t> steps = ladder(space, from);
  lookAtAll(steps);
  reevaluate(space, found);
  // Between the steps beside the best one, where that costs little.
  if (found.empty() || !space.isSmall() || space.goal == Goal::Cores)
    return;
  const uint32_t best = space.bestOf(found).eval.cores;
  std::vector<uint32_t> between;
  for (double factor : {0.8, 0.87, 0.93, 1.08, 1.16})
    if (auto k = uint32_t(std::lround(best * factor));
        k >= from && k <= space.most && k != best &&
        !std::count(steps.begin(), steps.end(), k))
      between.push_back(k);
  lookAtAll(between);
  reevaluate(space, found);
}

void sweepFewerCores(const SearchSpace &space, std::vector<Candidate> &found,
                     const std::string &how,
                     const std::vector<uint32_t> &parts) {
  constexpr uint64_t kLooks = 6;
  const uint64_t fewest = std::max<uint64_t>(
      {lowerBounds(space.network, space.target).cores(), space.least, 1});
  const uint64_t end = found.front().eval.cores;
  if (fewest >= end)
    return;
  const WorkSums sums = sumUp(space.loads());
  for (uint64_t look = 0; look < kLooks && !space.isOver(); ++look) {
    const uint64_t step = std::max<uint64_t>((end - fewest) / kLooks, 1);
    const auto cores = uint32_t(fewest + look * step);
    if (cores >= end)
      return;
    space.progress.begin(fmt::format("{}, {} cores", how, cores));
    if (auto each = space.cut(space.network, {}, how,
                              cutByWork(sums, parts, cores), cores)) {
      found.push_back(std::move(*each));
      return;
    }
  }
}

} // namespace dendrolith
