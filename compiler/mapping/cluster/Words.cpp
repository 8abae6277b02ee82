// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/cluster/Words.h"
#include "compiler/mapping/cluster/Order.h"
#include "compiler/mapping/network/Permute.h"

#include "compiler/mapping/network/ListFormat.h"

#include <algorithm>

namespace dendrolith::cluster {

namespace {

/// The synapses of one source into one part.
struct TargetSpan {
  uint32_t count = 0, first = 0, last = 0;
};

} // namespace

Words wordsOf(const MapNetwork &network, const Target &target,
              const ClusterOptions &options, const Clusters &clusters) {
  const uint32_t parts = clusters.cores;
  Words words;
  words.ofPart.resize(parts);
  words.ofProjection.resize(network.projections.size());
  // The place of each neuron among those of its population on its core.
  NeuronOrder places = orderOf(network, target, clusters);
  for (size_t p = 0; p < places.size(); ++p) {
    std::vector<uint32_t> next(parts, 0), place(network.populations[p].size);
    for (uint32_t at = 0; at < place.size(); ++at) {
      const uint32_t neuron = places[p].empty() ? at : places[p][at];
      place[neuron] = next[clusters.core[p][neuron]]++;
    }
    places[p] = std::move(place);
  }
  std::vector<TargetSpan> reach(parts);
  std::vector<uint32_t> reached;
  for (size_t i = 0; i < network.projections.size(); ++i) {
    const MapProjection &p = network.projections[i];
    if (p.target < options.ranges.size() && !options.ranges[p.target].empty())
      continue;
    const uint32_t each = network.populations[p.target].accumulators;
    const std::vector<uint32_t> &core = clusters.core[p.target];
    const std::vector<uint32_t> &place = places[p.target];
    const ListPlanner planner(target.synapses, p.synapseBits(), false);
    for (size_t s = 0; s + 1 < p.begin.size(); ++s) {
      for (uint64_t k = p.begin[s]; k < p.begin[s + 1]; ++k) {
        if (p.weight[k] == 0)
          continue;
        const uint32_t neuron = p.accumulator[k] / each;
        const uint32_t index = place[neuron] * each + p.accumulator[k] % each;
        const uint32_t at = core[neuron];
        TargetSpan &r = reach[at];
        if (r.count++ == 0) {
          reached.push_back(at);
          r.first = r.last = index;
        }
        r.first = std::min(r.first, index);
        r.last = std::max(r.last, index);
      }
      for (uint32_t at : reached) {
        const TargetSpan &r = reach[at];
        const double taken =
            double(planner.plan(r.count, r.first, r.last).words);
        words.ofPart[at] += taken;
        words.ofProjection[i] += taken;
        reach[at] = {};
      }
      reached.clear();
    }
  }
  return words;
}

} // namespace dendrolith::cluster
