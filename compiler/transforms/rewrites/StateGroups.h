// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_TRANSFORMS_REWRITES_STATEGROUPS_H
#define DENDROLITH_COMPILER_TRANSFORMS_REWRITES_STATEGROUPS_H

#include "dialects/dend/Dend.h"

#include <vector>

namespace dendrolith {

/// Groups of states that do not depend on each other.
struct StateGroups {
  /// The group of each state, in the order of first states; -1 for a number
  /// that every part can repeat, as it reads no other state, or that the
  /// combiner can hold, as no other state reads it.
  std::vector<int> of;
  int64_t count = 0;
  int64_t length = 1; ///< of the axis that most words of states have
};

/// Groups the states of a model. States that one predicated region updates are
/// in one group.
StateGroups groupStates(dend::NeuronOp model);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_REWRITES_STATEGROUPS_H
