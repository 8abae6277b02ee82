// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Interleave.h"
#include "compiler/mapping/candidates/Cut.h"

#include "compiler/mapping/candidates/Reevaluate.h"
#include "compiler/mapping/cluster/Random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dendrolith {

namespace {

/// A step that takes so many times what a core works in it has cores that wait.
constexpr double kUneven = 1.25;
/// Of the cores, what is looked at as well.
constexpr double kFewer = 0.8;

/// Equal lists of feature maps are equal no more once neurons are dealt out.
bool canDeal(const SearchSpace &space) {
  return space.goal != Goal::Cores &&
         std::none_of(
             space.network.projections.begin(), space.network.projections.end(),
             [](const MapProjection &projection) { return projection.shared; });
}

struct Deal {
  uint32_t group, cores;
  std::optional<Candidate> made;
};

void lookAt(const SearchSpace &space, const WorkSums &sums,
            std::vector<Deal> &deals) {
  const std::vector<uint32_t> ones(space.network.populations.size(), 1);
  space.threads->share(deals.size(), [&](size_t i) {
    if (space.isOver())
      return;
    Deal &deal = deals[i];
    space.progress.begin(fmt::format("neurons dealt out by {}, {} cores",
                                     deal.group, deal.cores));
    Starts starts = cutByWork(sums, ones, deal.cores);
    const NeuronOrder order =
        dealtOut(space.network, starts, deal.group, space.options.seed);
    deal.made = space.cut(*space.inOrder(order), order,
                          fmt::format("neurons dealt out by {}", deal.group),
                          std::move(starts), deal.cores);
  });
}

} // namespace

NeuronOrder dealtOut(const MapNetwork &network, Starts &starts, uint32_t group,
                     uint64_t seed) {
  NeuronOrder order(starts.size());
  for (size_t p = 0; p < starts.size(); ++p) {
    const uint32_t size = network.populations[p].size;
    const auto parts = uint32_t(starts[p].size() - 1);
    if (parts < 2)
      continue;
    std::vector<uint32_t> &of = starts[p];
    of.clear();
    // Of as many groups in a row as there are parts each part gets one, in an
    // order that is another one for each row: else the same cores would always
    // have something to say to each other.
    std::vector<std::vector<uint32_t>> held(parts);
    std::vector<uint32_t> to;
    // No part is left without neurons.
    const uint32_t each = std::clamp(size / parts, 1u, group);
    for (uint32_t n = 0; n < size; ++n) {
      const uint32_t at = n / each % parts;
      if (at == 0 && n % each == 0)
        to = cluster::shuffled(parts, cluster::hashOf(seed, n));
      held[to[at]].push_back(n);
    }
    for (const std::vector<uint32_t> &part : held) {
      of.push_back(uint32_t(order[p].size()));
      order[p].insert(order[p].end(), part.begin(), part.end());
    }
    of.push_back(size);
  }
  return order;
}

void dealNeurons(const SearchSpace &space, std::vector<Candidate> &found) {
  if (found.empty() || !canDeal(space))
    return;
  const Candidate &best = space.bestOf(found);
  const WorkSums sums = sumUp(space.loads());
  double work = 0;
  for (const std::vector<double> &of : sums)
    work += of.back();
  const Evaluation &eval = best.eval;
  if (eval.cores < 2 ||
      eval.stepPs - eval.barrierPs < kUneven * work / eval.cores)
    return;
  // First how many neighbours stay together, as each group takes a message of
  // its own; then how many cores.
  const uint32_t cores = eval.cores;
  std::vector<Deal> deals;
  for (uint32_t group : {2u, 4u, 8u, 16u})
    if (group == 4 || space.isSmall())
      deals.push_back({group, cores, {}});
  lookAt(space, sums, deals);
  const Deal *least = nullptr;
  for (const Deal &each : deals)
    if (each.made &&
        (!least || space.valueOf(*each.made) < space.valueOf(*least->made)))
      least = &each;
  std::vector<Deal> fewer;
  if (const auto k = uint32_t(std::lround(cores * kFewer));
      least && space.isSmall() && k >= std::max(space.least, 2u))
    fewer.push_back({least->group, k, {}});
  lookAt(space, sums, fewer);
  for (std::vector<Deal> *all : {&deals, &fewer})
    for (Deal &each : *all)
      if (each.made)
        found.push_back(std::move(*each.made));
  lookCloser(space, found);
}

} // namespace dendrolith
