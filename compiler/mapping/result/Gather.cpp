// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/result/Gather.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace dendrolith {
namespace {

/// A slice while its neurons come together.
struct Gathered {
  uint32_t population = 0, core = 0;
  std::vector<uint32_t> neurons; // of the MapNetwork
  bool isWhole = true;           // made of one range
};

bool isIdentity(const std::vector<uint32_t> &order) {
  for (uint32_t at = 0; at < order.size(); ++at)
    if (order[at] != at)
      return false;
  return true;
}

/// The slices in the order in which ranges first name them.
std::vector<Gathered> slicesOf(const MapNetwork &network,
                               const std::vector<PlacedRange> &ranges,
                               const NeuronOrder &numbers) {
  // Where each number of the model stands in the network.
  const NeuronOrder neurons = invert(numbers);
  std::vector<Gathered> slices;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, size_t> known;
  for (const PlacedRange &range : ranges) {
    auto [at, isNew] =
        known.emplace(std::make_tuple(range.population, range.core, range.part),
                      slices.size());
    if (isNew)
      slices.push_back({range.population, range.core, {}, true});
    Gathered &slice = slices[at->second];
    slice.isWhole = isNew;
    const bool isNumbered =
        range.population < neurons.size() && !neurons[range.population].empty();
    for (uint32_t n = range.first; n < range.first + range.count; ++n)
      slice.neurons.push_back(isNumbered ? neurons[range.population][n] : n);
  }
  for (Gathered &slice : slices) {
    const MapPopulation &population = network.populations[slice.population];
    if (!slice.isWhole && !population.runs.empty())
      std::stable_sort(slice.neurons.begin(), slice.neurons.end(),
                       [&](uint32_t a, uint32_t b) {
                         return population.needsOf(a).program <
                                population.needsOf(b).program;
                       });
  }
  return slices;
}

} // namespace

Placement gather(const MapNetwork &network,
                 const std::vector<PlacedRange> &ranges,
                 const NeuronOrder &numbers) {
  const std::vector<Gathered> slices = slicesOf(network, ranges, numbers);
  std::vector<uint32_t> base, lowest;
  std::map<uint32_t, uint32_t> next; // free accumulator, by core
  for (const Gathered &slice : slices) {
    base.push_back(next[slice.core]);
    next[slice.core] += uint32_t(slice.neurons.size()) *
                        network.populations[slice.population].accumulators;
    lowest.push_back(
        *std::min_element(slice.neurons.begin(), slice.neurons.end()));
  }
  std::vector<size_t> byLowest(slices.size());
  std::iota(byLowest.begin(), byLowest.end(), 0);
  std::sort(byLowest.begin(), byLowest.end(), [&](size_t a, size_t b) {
    return std::make_pair(slices[a].population, lowest[a]) <
           std::make_pair(slices[b].population, lowest[b]);
  });
  Placement placement;
  placement.order.resize(network.populations.size());
  for (size_t s : byLowest) {
    const Gathered &slice = slices[s];
    std::vector<uint32_t> &order = placement.order[slice.population];
    placement.slices.push_back({slice.population, uint32_t(order.size()),
                                uint32_t(slice.neurons.size()), slice.core,
                                base[s]});
    order.insert(order.end(), slice.neurons.begin(), slice.neurons.end());
  }
  bool isOrdered = false;
  for (std::vector<uint32_t> &order : placement.order) {
    if (isIdentity(order))
      order.clear();
    isOrdered |= !order.empty();
  }
  if (!isOrdered)
    placement.order.clear();
  std::stable_sort(placement.slices.begin(), placement.slices.end(),
                   [](const Slice &a, const Slice &b) {
                     return std::make_pair(a.core, a.base) <
                            std::make_pair(b.core, b.base);
                   });
  return placement;
}

} // namespace dendrolith
