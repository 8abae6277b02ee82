// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates in which neurons were grouped one by one, where the given order
// scatters those that hear the same sources.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_REGROUP_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_REGROUP_H

#include "compiler/mapping/candidates/SearchSpace.h"
#include "compiler/mapping/objective/ChipModel.h"

namespace dendrolith {

// Costs of a message between cores, for searches that move neurons.

struct MessageCosts {
  std::vector<double> between; ///< cores * cores
  std::vector<double> toHost;  ///< by core
};

/// Costs between the cores that have these ids. A message costs as much to its
/// own core as to one beside it, as the objective counts it; a hop costs
/// something even where it has no price.
MessageCosts messageCosts(const std::vector<uint32_t> &cores,
                          const Target &target, const ChipModel &model);

/// Adds groupings for the number of cores that is best in `found` and for
/// others where that helps; for as few as possible if nothing fits yet. Adds
/// none where that cannot gain much.
void regroup(const SearchSpace &space, std::vector<Candidate> &found);

/// Moves neurons of a grouping between cores that have places, under the costs
/// between these places.
void finishGroups(const SearchSpace &space, Candidate &each);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_REGROUP_H
