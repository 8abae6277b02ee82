// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/plan/Lists.h"

#include "targets/loader/chip/Chip.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::plan {
namespace {

/// Words of a list of so many targets by the shorter form: with indices among
/// `neurons`, or without over the `span` that they lie in.
double wordsOf(const Description &network, uint64_t entries, double neurons,
               double span, uint64_t delayBits, const Target &target) {
  const SynapseFormat &format = target.synapses;
  const uint64_t weight =
      format.weightBits(network.weightBits).value_or(network.weightBits);
  const auto last = uint64_t(std::max(0.0, neurons - 1));
  const uint64_t sparse =
      format.listWords(ListFormat::Sparse, entries, weight,
                       format.indexBits(last).value_or(16), delayBits);
  const uint64_t dense = format.listWords(
      ListFormat::Dense, uint64_t(std::max(1.0, std::min(span, neurons))),
      weight, 0, delayBits);
  return double(std::min(sparse, dense));
}

/// A kernel that a core stores once: words of source channels x taps x those
/// target channels that lie there, and one in-axon.
ListSum sumOfKernel(const Description &network, const Bundle &bundle,
                    double neurons, const Target &target) {
  const Kernel &kernel = bundle.kernel;
  const double sources = double(network.parts[bundle.from].size),
               targets = double(network.parts[bundle.to].size);
  const double channels =
      std::ceil(std::min(neurons, targets) / targets * double(kernel.to));
  const SynapseFormat &format = target.synapses;
  const uint64_t list = format.listWords(
      ListFormat::Dense, uint64_t(std::max(1.0, channels)),
      format.weightBits(network.weightBits).value_or(network.weightBits));
  ListSum sum;
  sum.lists = sources;
  sum.axons = 1;
  sum.mean = bundle.synapses * std::min(neurons, targets) / targets / sources;
  sum.words = double(kernel.from * kernel.taps * list);
  return sum;
}

/// Lists of one delay, or of all where a word holds the delay.
ListSum sumOfRandom(const Description &network, const Bundle &bundle,
                    double neurons, uint64_t delayBits, const Target &target) {
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
    sum.words = sum.lists *
                wordsOf(network, uint64_t(std::lround(sum.mean)), neurons,
                        bundle.run > 1 ? sum.mean : neurons, delayBits, target);
    return sum;
  }
  // Over how many targets a source has there: nearly Poisson.
  double chance = std::exp(-pieces), words = 0;
  for (uint64_t m = 1; double(m) < pieces + 10 * std::sqrt(pieces) + 10; ++m) {
    chance *= pieces / double(m);
    if (chance > 1e-12)
      words +=
          chance * wordsOf(network, m, neurons, neurons, delayBits, target);
  }
  sum.words = able * words;
  return sum;
}

} // namespace

ListSum sumOfLists(const Description &network, const Bundle &bundle,
                   double neurons, const Target &target) {
  if (bundle.kernel.taps && storesKernels(target))
    return sumOfKernel(network, bundle, neurons, target);
  const uint64_t apart = bundle.delays;
  const auto bits = apart > 1 && target.synapses.maxDelayBits
                        ? target.synapses.delayBits(apart)
                        : std::nullopt;
  if (apart == 1 || bits) {
    ListSum sum =
        sumOfRandom(network, bundle, neurons, bits.value_or(0), target);
    sum.axons = sum.lists;
    return sum;
  }
  // A list, an in-axon and a message for each delay.
  Bundle one = bundle;
  one.synapses /= double(apart);
  ListSum sum = sumOfRandom(network, one, neurons, 0, target);
  sum.lists *= double(apart);
  sum.words *= double(apart);
  sum.axons = sum.lists;
  return sum;
}

} // namespace dendrolith::plan
