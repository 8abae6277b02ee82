// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of a search share: its arguments and what follows from them,
// and how a candidate is made and judged.

#ifndef NEURITE_COMPILER_MAPPING_SEARCH_SEARCHSPACE_H
#define NEURITE_COMPILER_MAPPING_SEARCH_SEARCHSPACE_H

#include "compiler/mapping/cluster/Cluster.h"
#include "compiler/mapping/search/Arrangement.h"

#include <chrono>

namespace neurite {

/// A mapping that was looked at.
struct Candidate {
  std::string how;
  std::optional<Clusters> clusters; // where neurons were grouped
  NeuronOrder order;
  Starts starts;
  Cores cores;
  Evaluation eval;
};

class SearchSpace {
public:
  /// Distances looked up for a mapping that is only looked at.
  static constexpr uint64_t kLookBudget = 3000000;
  /// Synapses read in all for mappings that are looked at.
  static constexpr uint64_t kReadBudget = 150000000;

  /// The arguments must outlive this.
  SearchSpace(const MapNetwork &network, const Target &target,
              const MappingOptions &options, const ChipModel &model);

  const MapNetwork &network;
  const Target &target;
  const MappingOptions &options;
  const ChipModel &model;
  const Goal goal;
  uint32_t least = 1, most = 1; ///< cores
  uint64_t synapses = 0;

  /// Whether one more look costs little.
  bool isSmall() const { return synapses < kReadBudget / 50; }
  bool outOfTime() const;
  bool isAllowed(const Evaluation &eval) const {
    return eval.cores >= least && eval.cores <= most;
  }
  double valueOf(const Candidate &each) const {
    return each.eval.value(goal, model.priced);
  }
  /// The first of the best ones; there must be one.
  const Candidate &bestOf(const std::vector<Candidate> &found) const;

  /// The network in another order of neurons; itself without one.
  MapNetwork inOrder(const NeuronOrder &order) const;

  /// A mapping of the given order that is there already. Nothing where its
  /// slices would have to be cut once more, or it is not allowed.
  std::optional<Candidate> take(const std::string &how,
                                const Mapping &mapping) const;
  /// Cuts `net`, the network in that order, as `starts` says and packs it into
  /// so many cores. Nothing where that does not fit or is not allowed.
  std::optional<Candidate> cut(const MapNetwork &net, const NeuronOrder &order,
                               const std::string &how, Starts starts,
                               uint32_t cores) const;
  /// Looks at the places of slices once more, with more patience.
  void finish(Candidate &each) const;

private:
  std::optional<Candidate> judged(const std::string &how,
                                  const NeuronOrder &order,
                                  const Arrangement &made, Cores cores) const;

  const std::chrono::steady_clock::time_point began;
};

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_SEARCH_SEARCHSPACE_H
