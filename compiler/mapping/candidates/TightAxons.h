// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mappings that a chip with fewer out-axons in a core would get.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_TIGHTAXONS_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_TIGHTAXONS_H

#include "compiler/mapping/candidates/SearchSpace.h"

namespace dendrolith {

/// Where out-axons have ended the search for other candidates of a small
/// network, adds mappings that are cut for fewer of them. Their limits do not
/// depend on the target's, so that a looser limit has all that a tighter one
/// has.
void tryTighterAxons(const SearchSpace &space, std::vector<Candidate> &found);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_TIGHTAXONS_H
