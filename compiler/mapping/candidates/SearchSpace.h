// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a search and what follows from them. Every part of the
// search makes and evaluates its candidates here.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCHSPACE_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCHSPACE_H

#include "compiler/mapping/candidates/CandidateCache.h"
#include "compiler/mapping/cluster/Cluster.h"
#include "compiler/mapping/network/MappingOptions.h"
#include "compiler/mapping/objective/Evaluation.h"
#include "compiler/mapping/result/Mapping.h"
#include "runtime/host/SpareThreads.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace dendrolith {

// Tells a watcher how far a search has come, from any thread.

class Progress {
public:
  /// `control` may be null. `fewest`: no mapping has fewer cores.
  Progress(const SearchControl *control, uint64_t fewest);

  /// Says what the search evaluates now.
  void begin(const std::string &doing);
  /// A mapping of this value was found; less is better. `priced` as in
  /// ChipModel.
  void found(const Evaluation &eval, double value, bool priced);
  /// Whether the watcher wants the best mapping so far.
  bool mustStop() const;

private:
  void tell();

  const SearchControl *control;
  std::mutex mutex;
  SearchProgress now;
  double best = 0; // value of that mapping
};

/// A mapping that the search has evaluated.
struct Candidate {
  std::string how;
  std::optional<Clusters> clusters; // where neurons were grouped
  NeuronOrder order;
  SliceStarts starts;
  SliceCores cores;
  Evaluation eval;
  /// Where few of the steps were replayed, what it takes to replay all.
  std::shared_ptr<const Arrangement> brief;
};

/// Whether both are one mapping.
bool isSame(const Candidate &a, const Candidate &b);

class SearchSpace {
public:
  /// Steps replayed for a brief evaluation.
  static constexpr size_t kLookSteps = 8;
  /// Distances looked up to place one candidate.
  static constexpr uint64_t kLookBudget = 3000000;
  /// Synapses read in all for candidates of a sweep.
  static constexpr uint64_t kReadBudget = 150000000;

  using Clock = std::chrono::steady_clock;

  /// The arguments must outlive this. options.seconds count from `began` on.
  SearchSpace(const MapNetwork &network, const Target &target,
              const MappingOptions &options, const ChipModel &model,
              Progress &progress, Clock::time_point began = Clock::now());

  const MapNetwork &network;
  const Target &target;
  const MappingOptions &options;
  const ChipModel &model;
  const Goal goal;
  uint32_t least = 1, most = 1; ///< cores
  uint64_t synapses = 0;
  Progress &progress;
  const Clock::time_point began;
  /// Threads that look at candidates; regrouping has workers of its own.
  const std::shared_ptr<SpareThreads> threads;

  /// Whether candidates were cut again or given up for want of out-axons.
  mutable std::atomic<bool> axonsBind{false};

  /// Whether one more candidate costs little.
  bool isSmall() const { return synapses < kReadBudget / 50; }
  /// Whether out-axons end the search of a small network.
  bool bindsAxons() const {
    return target.limits.outAxons && axonsBind && isSmall();
  }
  /// Whether the search shall end with the best mapping so far.
  bool isOver() const;
  /// Why the search ended early, with the number of mappings that it had
  /// evaluated; empty for a search that was not ended.
  std::string cutShort(size_t looked) const;
  bool isAllowed(const Evaluation &eval) const {
    return eval.cores >= least && eval.cores <= most;
  }
  double valueOf(const Candidate &each) const {
    return each.eval.value(goal, model.priced);
  }
  /// The first of the best ones; there must be one.
  const Candidate &bestOf(const std::vector<Candidate> &found) const;

  /// The work of each neuron, by population of the network, scaled as a
  /// Reweighing says.
  std::vector<std::vector<double>> loads() const;
  /// arrange() of `net`, the network in that order, scaled as a Reweighing
  /// says.
  std::optional<Arrangement> arranged(const MapNetwork &net,
                                      const NeuronOrder &order,
                                      SliceStarts starts) const;
  /// evaluate() of a mapping, with the parts of a step as a Reweighing says and
  /// no more than `most` steps replayed.
  Evaluation evaluated(const Arrangement &made, const SliceCores &cores,
                       size_t most = std::numeric_limits<size_t>::max()) const;

  /// The network in another order of neurons.
  Reordered inOrder(const NeuronOrder &order) const;

  /// A candidate from a mapping in the given order. Nothing where its slices
  /// would have to be cut once more, or it is not allowed.
  std::optional<Candidate> take(const std::string &how,
                                const Mapping &mapping) const;
  /// Cuts `net`, the network in that order, as `starts` says and packs it into
  /// so many cores. Nothing where that does not fit or is not allowed. For
  /// small networks, earlier answers are kept. The evaluation is brief.
  std::optional<Candidate> cut(const MapNetwork &net, const NeuronOrder &order,
                               const std::string &how, SliceStarts starts,
                               uint32_t cores) const;
  /// Improves the places of slices under a larger budget.
  void finish(Candidate &each) const;

private:
  /// The candidate, if its number of cores is allowed.
  std::optional<Candidate> allowed(Candidate each) const;
  std::optional<Candidate> judged(const std::string &how,
                                  const NeuronOrder &order,
                                  const Arrangement &made,
                                  SliceCores cores) const;

  /// By population and neuron of the network, from a Reweighing; empty = 1.
  std::vector<std::vector<float>> factor;
  mutable std::atomic<bool> late{false};
  mutable CandidateCache cache;
};

// A brief evaluation replays few steps, because replay takes most of a search's
// time and a few steps tell most mappings from the best one. Here those near
// the best are evaluated with all steps.

/// Replays all steps of briefly evaluated candidates that may be the best of
/// all. The others keep their brief evaluation for good.
void reevaluate(const SearchSpace &space, std::vector<Candidate> &found);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCHSPACE_H
