// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells a watcher how far a search has come, from any thread.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_PROGRESS_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_PROGRESS_H

#include "compiler/mapping/network/MappingOptions.h"
#include "compiler/mapping/objective/Evaluation.h"

#include <mutex>

namespace dendrolith {

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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_PROGRESS_H
