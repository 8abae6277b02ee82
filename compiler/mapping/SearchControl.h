// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who watches a search, may end it, and has learned from earlier ones.

#ifndef DENDROLITH_COMPILER_MAPPING_SEARCHCONTROL_H
#define DENDROLITH_COMPILER_MAPPING_SEARCHCONTROL_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith {

class SpareThreads;

/// How far a search has come.
struct SearchProgress {
  std::string doing;   ///< what is looked at, as "given order, 32 cores"
  uint64_t looked = 0; ///< mappings that were looked at
  uint64_t fewest = 0; ///< no mapping has fewer cores; 0 = not known yet
  uint64_t cores = 0;  ///< of the best mapping so far; 0 = none yet
  double stepNs = 0;   ///< of the best one, as predicted
  double stepPj = 0;   ///< the same; 0 where nothing is priced
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
  /// Those that searches have together; null where this one has its own.
  std::shared_ptr<SpareThreads> threads;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_SEARCHCONTROL_H
