// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a caller gives beside the network: what is asked of the mapping, who
// watches the search and may end it, and what an execution has shown.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_MAPPINGOPTIONS_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_MAPPINGOPTIONS_H

#include "compiler/mapping/network/Permute.h"
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith {

class SpareThreads;

/// Neurons [first, first + count) of a population on a core.
struct PlacedRange {
  uint32_t population = 0;
  uint32_t first = 0, count = 0;
  uint32_t core = 0;
  /// Ranges of one population on one core form one slice; those of different
  /// `part` form one each.
  uint32_t part = 0;
};

/// How far a search has come.
struct SearchProgress {
  std::string doing;   ///< what is looked at, as "given order, 32 cores"
  uint64_t looked = 0; ///< mappings that were looked at
  uint64_t fewest = 0; ///< no mapping has fewer cores; 0 = not known yet
  uint64_t cores = 0;  ///< of the best mapping so far; 0 = none yet
  double stepNs = 0;   ///< of the best one, as predicted
  double stepPj = 0;   ///< energy of a step on the best one; 0 where nothing is
                       ///< priced
};

/// How much longer parts of a step take than was predicted: what an execution
/// in time has shown of an earlier mapping.
struct Reweighing {
  double update = 1, network = 1, receive = 1, barrier = 1;
  /// By name of the population and number of the neuron in the model: how much
  /// more a neuron's load counts. Missing or empty = 1.
  std::map<std::string, std::vector<float>> load;
};

/// Functions that are not set are not called. onProgress and mustStop may be
/// called from several threads, onProgress never from two at a time.
struct SearchControl {
  std::function<void()> onBegin;
  std::function<void(const SearchProgress &)> onProgress;
  /// Also after an error. `cutShort` says why the search ended before it was
  /// complete; else it is empty.
  std::function<void(const std::string &cutShort)> onEnd;
  /// Whether to end with the best mapping so far.
  std::function<bool()> mustStop;
  std::shared_ptr<const Reweighing> reweighing; ///< may be null
  /// The threads that several searches share; null where this one has its own.
  std::shared_ptr<SpareThreads> threads;
};

/// What a caller asks of a mapping, besides the network and the target.
struct MappingOptions {
  /// What to minimise: "balanced", "time", "energy", "edp" or "cores"; empty
  /// stands for "balanced", and where the model brings a placement for that.
  std::string goal;
  /// Names of the timing set and cost table that steps are predicted with, ""
  /// for the target's own.
  std::string timing, costs;
  uint64_t seed = 1;
  unsigned threads = 1;
  /// Seconds after which the best mapping so far is taken; 0 = no limit. With a
  /// limit that is met the answer depends on the machine.
  double seconds = 0;
  uint32_t maxCores = 0; ///< 0 = all of the target

  /// "default", "round-robin", "packed" or "iterative-split". Without a name
  /// the model's placement is taken if there is one, else "default".
  std::string solver;
  /// A file that says where slices lie and overrides the solver; may be empty.
  std::string placementFile;
  /// A file of constraints (ConstraintsFile.h); may be empty.
  std::string constraintsFile;
  /// An image or a placement file to start from (EarlierMapping.h); may be
  /// empty.
  std::string mapFrom;
  /// Neurons that may have another core than there; 0 = any number.
  uint64_t maxMoves = 0;
  /// The model's own placement; may be empty.
  std::vector<PlacedRange> model;
  /// By population the number that users know each neuron by, where those
  /// differ. Files count in it.
  NeuronOrder numbers;
  /// Cores that are used at the least: populations come apart first, and where
  /// there are fewer of them the largest are split.
  uint32_t minCores = 0;
  /// Who watches the search and may end it; may be null.
  std::shared_ptr<const SearchControl> control;

  /// The threads of a search, which others may have a part in.
  std::shared_ptr<SpareThreads> sharedThreads() const;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_MAPPINGOPTIONS_H
