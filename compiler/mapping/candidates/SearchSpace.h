// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of a search share: its arguments and what follows from them,
// and how a candidate is made and judged.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCHSPACE_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCHSPACE_H

#include "compiler/mapping/candidates/CandidateCache.h"
#include "compiler/mapping/candidates/Progress.h"
#include "compiler/mapping/cluster/Cluster.h"
#include "compiler/mapping/network/MappingOptions.h"
#include "compiler/mapping/result/Mapping.h"
#include "runtime/host/SpareThreads.h"

#include <atomic>
#include <chrono>

namespace dendrolith {

/// A mapping that was looked at.
struct Candidate {
  std::string how;
  std::optional<Clusters> clusters; // where neurons were grouped
  NeuronOrder order;
  Starts starts;
  Cores cores;
  Evaluation eval;
  /// Where few of the steps were replayed, what it takes to replay all.
  std::shared_ptr<const Arrangement> brief;
};

class SearchSpace {
public:
  /// Steps replayed for a mapping that is only looked at.
  static constexpr size_t kLookSteps = 8;
  /// Distances looked up for one.
  static constexpr uint64_t kLookBudget = 3000000;
  /// Synapses read in all for mappings that are looked at.
  static constexpr uint64_t kReadBudget = 150000000;

  /// The arguments must outlive this.
  SearchSpace(const MapNetwork &network, const Target &target,
              const MappingOptions &options, const ChipModel &model,
              Progress &progress);

  const MapNetwork &network;
  const Target &target;
  const MappingOptions &options;
  const ChipModel &model;
  const Goal goal;
  uint32_t least = 1, most = 1; ///< cores
  uint64_t synapses = 0;
  Progress &progress;
  /// Of all that the search does but for regrouping neurons.
  const std::shared_ptr<SpareThreads> threads;

  /// Whether one more look costs little.
  bool isSmall() const { return synapses < kReadBudget / 50; }
  /// Whether the search shall end with the best mapping so far.
  bool isOver() const;
  /// Why it did, with the number of mappings that it had looked at; empty for a
  /// search that was not ended.
  std::string cutShort(size_t looked) const;
  bool isAllowed(const Evaluation &eval) const {
    return eval.cores >= least && eval.cores <= most;
  }
  double valueOf(const Candidate &each) const {
    return each.eval.value(goal, model.priced);
  }
  /// The first of the best ones; there must be one.
  const Candidate &bestOf(const std::vector<Candidate> &found) const;

  /// What neurons keep their cores busy with, by population of the network;
  /// loads count as a Reweighing says.
  std::vector<std::vector<double>> loads() const;
  /// arrange() of `net`, the network in that order, the same way.
  std::optional<Arrangement> arranged(const MapNetwork &net,
                                      const NeuronOrder &order,
                                      Starts starts) const;
  /// evaluate() of a mapping, with the parts of a step as a Reweighing says and
  /// no more than `most` steps replayed.
  Evaluation evaluated(const Arrangement &made, const Cores &cores,
                       size_t most = std::numeric_limits<size_t>::max()) const;

  /// The network in another order of neurons.
  Reordered inOrder(const NeuronOrder &order) const;

  /// A mapping of the given order that is there already. Nothing where its
  /// slices would have to be cut once more, or it is not allowed.
  std::optional<Candidate> take(const std::string &how,
                                const Mapping &mapping) const;
  /// Cuts `net`, the network in that order, as `starts` says and packs it into
  /// so many cores. Nothing where that does not fit or is not allowed. Of small
  /// networks, what was looked at before is known. The evaluation is brief.
  std::optional<Candidate> cut(const MapNetwork &net, const NeuronOrder &order,
                               const std::string &how, Starts starts,
                               uint32_t cores) const;
  /// Looks at the places of slices once more, with more patience.
  void finish(Candidate &each) const;

private:
  /// A mapping that has an evaluation, if it is allowed.
  std::optional<Candidate> allowed(Candidate each) const;
  std::optional<Candidate> judged(const std::string &how,
                                  const NeuronOrder &order,
                                  const Arrangement &made, Cores cores) const;

  /// By population and neuron of the network, from a Reweighing; empty = 1.
  std::vector<std::vector<float>> factor;
  const std::chrono::steady_clock::time_point began;
  mutable std::atomic<bool> late{false};
  mutable Looks looks;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCHSPACE_H
