// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/plan/Lists.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::plan {
namespace {

/// Words of a list of so many targets by the shorter form: with indices among
/// `neurons`, or without over the `span` that they lie in.
double wordsOf(const Description &network, uint64_t entries, double neurons,
               double span, const Target &target) {
  const SynapseFormat &format = target.synapses;
  const uint64_t weight =
      format.weightBits(network.weightBits).value_or(network.weightBits);
  const auto last = uint64_t(std::max(0.0, neurons - 1));
  const uint64_t sparse = format.listWords(ListFormat::Sparse, entries, weight,
                                           format.indexBits(last).value_or(16));
  const uint64_t dense = format.listWords(
      ListFormat::Dense, uint64_t(std::max(1.0, std::min(span, neurons))),
      weight);
  return double(std::min(sparse, dense));
}

} // namespace

ListSum sumOfLists(const Description &network, const Bundle &bundle,
                   double neurons, const Target &target) {
  const double sources = double(network.parts[bundle.from].size),
               targets = double(network.parts[bundle.to].size);
  neurons = std::min(neurons, targets);
  // Those whose targets can lie on the core: all, or those around it.
  const double near = bundle.within > 0
                          ? std::min(1.0, (bundle.within + neurons) / targets)
                          : 1.0;
  const double there = bundle.synapses * neurons / targets; // on the core
  const double able = sources * near;
  // Runs of targets are met as one: a core's edge cuts few of them.
  const double run = std::min(bundle.run, neurons);
  const double piece = run * neurons / (neurons + run - 1);
  ListSum sum;
  const double pieces = there / std::max(able, 1e-9) / piece;
  const double tried = std::max(1.0, bundle.synapses / sources / bundle.run);
  // Each of a source's runs misses the core alike: as with 1 - (1 - p)^n.
  const double hit = std::min(1.0, pieces / tried);
  const double none = hit < 1 ? std::exp(tried * std::log1p(-hit)) : 0;
  sum.lists = able * (1 - none);
  if (sum.lists <= 0)
    return sum;
  sum.mean = there / sum.lists;
  if (network.parts.empty() || target.synapses.weightBitCodes.empty())
    return sum;
  if (pieces > 400 || piece > 1) {
    sum.words =
        sum.lists * wordsOf(network, uint64_t(std::lround(sum.mean)), neurons,
                            bundle.run > 1 ? sum.mean : neurons, target);
    return sum;
  }
  // Over how many targets a source has there: nearly Poisson.
  double chance = std::exp(-pieces), words = 0;
  for (uint64_t m = 1; double(m) < pieces + 10 * std::sqrt(pieces) + 10; ++m) {
    chance *= pieces / double(m);
    if (chance > 1e-12)
      words += chance * wordsOf(network, m, neurons, neurons, target);
  }
  sum.words = able * words;
  return sum;
}

} // namespace dendrolith::plan
