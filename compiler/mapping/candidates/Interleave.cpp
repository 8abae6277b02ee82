// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Interleave.h"
#include "compiler/mapping/candidates/Arrangement.h"

#include "compiler/mapping/candidates/SearchSpace.h"
#include "compiler/mapping/cluster/Random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dendrolith {

namespace {

/// A step that takes so many times what a core works in it has cores that wait.
constexpr double kUneven = 1.25;
/// The share of the cores that is tried as well.
constexpr double kFewer = 0.8;

/// Equal lists of feature maps are equal no more once neurons are dealt out.
bool canInterleave(const SearchSpace &space) {
  return space.goal != Goal::Cores &&
         std::none_of(
             space.network.projections.begin(), space.network.projections.end(),
             [](const MapProjection &projection) { return projection.shared; });
}

struct Interleaving {
  uint32_t group, cores;
  std::optional<Candidate> made;
};

void tryAll(const SearchSpace &space, const WorkSums &sums,
            std::vector<Interleaving> &trials) {
  const std::vector<uint32_t> ones(space.network.populations.size(), 1);
  space.threads->share(trials.size(), [&](size_t i) {
    if (space.isOver())
      return;
    Interleaving &trial = trials[i];
    space.progress.begin(fmt::format("neurons dealt out by {}, {} cores",
                                     trial.group, trial.cores));
    SliceStarts starts = cutByWork(sums, ones, trial.cores);
    const NeuronOrder order =
        interleaved(space.network, starts, trial.group, space.options.seed);
    trial.made = space.cut(*space.inOrder(order), order,
                           fmt::format("neurons dealt out by {}", trial.group),
                           std::move(starts), trial.cores);
  });
}

} // namespace

NeuronOrder interleaved(const MapNetwork &network, SliceStarts &starts,
                        uint32_t group, uint64_t seed) {
  NeuronOrder order(starts.size());
  for (size_t p = 0; p < starts.size(); ++p) {
    const uint32_t size = network.populations[p].size;
    const auto parts = uint32_t(starts[p].size() - 1);
    if (parts < 2)
      continue;
    std::vector<uint32_t> &of = starts[p];
    of.clear();
    // Groups come in rows of as many as there are parts, and each part gets one
    // group of a row. Each row is shuffled anew: else the same pairs of cores
    // would always exchange messages.
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

void interleaveNeurons(const SearchSpace &space,
                       std::vector<Candidate> &found) {
  if (found.empty() || !canInterleave(space))
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
  // First the number of neighbours that stay together, as each group takes a
  // message of its own; then the number of cores.
  const uint32_t cores = eval.cores;
  std::vector<Interleaving> trials;
  for (uint32_t group : {2u, 4u, 8u, 16u})
    if (group == 4 || space.isSmall())
      trials.push_back({group, cores, {}});
  tryAll(space, sums, trials);
  const Interleaving *least = nullptr;
  for (const Interleaving &each : trials)
    if (each.made &&
        (!least || space.valueOf(*each.made) < space.valueOf(*least->made)))
      least = &each;
  std::vector<Interleaving> fewer;
  if (const auto k = uint32_t(std::lround(cores * kFewer));
      least && space.isSmall() && k >= std::max(space.least, 2u))
    fewer.push_back({least->group, k, {}});
  tryAll(space, sums, fewer);
  for (std::vector<Interleaving> *all : {&trials, &fewer})
    for (Interleaving &each : *all)
      if (each.made)
        found.push_back(std::move(*each.made));
  reevaluate(space, found);
}

} // namespace dendrolith
