// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates in which neurons were grouped one by one, where the given order
// scatters those that hear the same sources.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_REGROUP_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_REGROUP_H

#include "compiler/mapping/candidates/SearchSpace.h"

namespace dendrolith {

/// Adds groupings for the number of cores that is best in `found` and for
/// others where that helps; for as few as possible if nothing fits yet. Adds
/// none where that cannot gain much.
void regroup(const SearchSpace &space, std::vector<Candidate> &found);

/// Moves neurons of a grouping between cores that have places, under the costs
/// between these places.
void finishGroups(const SearchSpace &space, Candidate &each);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_REGROUP_H
