// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most of the time of a search goes into steps that are replayed, and most
// mappings are so much worse than the best one that a few steps tell.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_REEVALUATE_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_REEVALUATE_H

#include "compiler/mapping/candidates/SearchSpace.h"

namespace dendrolith {

/// Replays all steps of those that were looked at briefly and may be the best
/// of all. The others keep what they have: no closer look is taken at them
/// later, either.
void lookCloser(const SearchSpace &space, std::vector<Candidate> &found);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_REEVALUATE_H
