// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Limits.h"

#include "compiler/mapping/network/ListFormat.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::cluster {

CoreLimits::CoreLimits(const Target &target, const ClusterOptions &options)
    : entry(target), capacity(target), workCap(options.workCap) {
  auto inverse = [&](Resource r) {
    return capacity.of[r] == unlimited
               ? 0.0
               : 1.0 / std::max<double>(double(capacity.of[r]), 0.5);
  };
  slots = inverse(NeuronSlots);
  words = inverse(SynapseWords);
  in = inverse(InAxons);
  out = inverse(OutAxons);
  bytes = inverse(CoreBytes);
  countsWords = words > 0 || (bytes > 0 && entry.synapseWord > 0);
  countsOut = out > 0 || (bytes > 0 && entry.outAxon > 0);
}

void CoreLimits::setCores(const MapNetwork &network, const Target &target,
                          const Hypergraph &graph, uint32_t cores) {
  Needs all;
  for (const Needs &needs : graph.needs)
    all += needs;
  if (workCap > 0 && all.work > 0)
    work = cores / (workCap * all.work);
  slots = capacity.of[NeuronSlots] == unlimited
              ? 0
              : 1.0 / double(capacity.of[NeuronSlots]);
  if (!countsWords)
    return;
  // The width of an index follows from how many neurons of a population a core
  // has. As many as have the width of equal shares, and a tenth more, is a
  // limit as well; unlike populations need not have equal shares.
  const double spare = network.populations.size() > 1 ? 2.2 : 1.1;
  const uint64_t most =
      std::min<uint64_t>(capacity.of[NeuronSlots], uint64_t(all.slots) + 1);
  uint64_t part = 1;
  while (part < most && (double(part) < spare * all.slots / cores ||
                         target.synapses.indexBits(part - 1) ==
                             target.synapses.indexBits(2 * part - 1)))
    part *= 2;
  part = std::min(part, most);
  slots = 1.0 / double(part);
  wordsOf.clear();
  wordsEach.clear();
  for (const MapProjection &projection : network.projections) {
    // A list has no index beyond those of the part and, where it is dense, no
    // more entries than the part, so that it takes no more words than this.
    uint64_t largest =
        part * network.populations[projection.target].accumulators;
    std::optional<uint64_t> bits = target.synapses.indexBits(largest - 1);
    uint64_t dense = target.synapses.listWords(ListFormat::Dense, largest,
                                               projection.synapseBits());
    uint64_t longest = 1;
    for (size_t s = 0; s + 1 < projection.begin.size(); ++s)
      longest =
          std::max(longest, projection.begin[s + 1] - projection.begin[s]);
    longest = std::min(longest, largest);
    std::vector<double> table(longest + 1, 0);
    for (uint64_t n = 1; n <= longest; ++n) {
      uint64_t words = dense;
      if (bits) {
        words = target.synapses.listWords(ListFormat::Sparse, n,
                                          projection.synapseBits(), *bits);
        if (!target.synapses.skipsZeros || n == largest)
          words = std::min(words, dense);
      }
      table[n] = double(words);
    }
    wordsEach.push_back(table.back() / double(longest));
    wordsOf.push_back(std::move(table));
  }
}

void CoreLimits::scaleWords(const std::vector<double> &factors) {
  for (size_t t = 0; t < wordsOf.size(); ++t) {
    wordsEach[t] *= factors[t];
    for (double &words : wordsOf[t])
      words *= factors[t];
  }
}

Resource CoreLimits::worst(const Needs &use) const {
  Resource found = numResources;
  double most = 1 + 1e-12;
  auto consider = [&](Resource resource, double part) {
    if (part > most) {
      most = part;
      found = resource;
    }
  };
  consider(NeuronSlots, use.slots * slots);
  consider(SynapseWords, use.words * words);
  consider(InAxons, use.in * in);
  consider(OutAxons, use.out * out);
  consider(CoreBytes, bytesOf(use) * bytes);
  return found;
}

CoreLimits::CoreBound CoreLimits::bound(const MapNetwork &network,
                                        const Target &target,
                                        const Hypergraph &graph) const {
  Needs least, likely;
  for (const Needs &needs : graph.needs)
    least += needs;
  likely = least;
  // Each source has a list, an in-axon and an out-axon at the least; a list has
  // a weight for each synapse, and mostly indices.
  for (uint32_t e = 0; e < graph.nets(); ++e) {
    if (graph.table[e] == fixedNet)
      continue;
    least.in += 1;
    least.out += graph.source[e] != none;
    if (!countsWords)
      continue;
    uint64_t synapses = 0;
    for (uint64_t i = graph.pins.begin[e]; i < graph.pins.begin[e + 1]; ++i)
      synapses += graph.weightOfPin(i);
    const MapProjection &p = network.projections[graph.table[e]];
    least.words +=
        double(synapses * p.synapseBits()) / double(target.synapses.wordBits);
    const std::vector<double> &table = wordsOf[graph.table[e]];
    likely.words += table[std::min<size_t>(synapses, table.size() - 1)];
  }
  likely.in = least.in;
  likely.out = least.out;
  CoreBound found;
  auto consider = [&](Resource resource, double total, double probable) {
    if (capacity.of[resource] == unlimited)
      return;
    double limit = std::max<double>(double(capacity.of[resource]), 0.5);
    auto cores = [&](double sum) {
      return uint32_t(std::min(std::ceil(sum / limit - 1e-9), 4e9));
    };
    found.likely = std::max(found.likely, cores(probable));
    if (cores(total) > found.cores || found.total == 0) {
      found.cores = std::max(found.cores, cores(total));
      found.resource = resource;
      found.total = total;
    }
  };
  consider(NeuronSlots, least.slots, likely.slots);
  consider(SynapseWords, least.words, likely.words);
  consider(InAxons, least.in, likely.in);
  consider(OutAxons, least.out, likely.out);
  consider(CoreBytes, bytesOf(least), bytesOf(likely));
  return found;
}

} // namespace dendrolith::cluster
