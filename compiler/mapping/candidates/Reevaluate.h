// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A brief evaluation replays few steps, because replay takes most of a search's
// time and a few steps tell most mappings from the best one. Here those near
// the best are evaluated with all steps.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_REEVALUATE_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_REEVALUATE_H

#include "compiler/mapping/candidates/SearchSpace.h"

namespace dendrolith {

/// Replays all steps of briefly evaluated candidates that may be the best of
/// all. The others keep their brief evaluation for good.
void reevaluate(const SearchSpace &space, std::vector<Candidate> &found);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_REEVALUATE_H
