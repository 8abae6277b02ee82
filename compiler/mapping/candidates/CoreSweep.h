// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates on ever more cores: populations are cut into parts of equal work.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_CORESWEEP_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_CORESWEEP_H

#include "compiler/mapping/candidates/SearchSpace.h"

namespace dendrolith {

/// Adds a candidate for each number of cores that fits, in the given order of
/// neurons or with feature maps in tiles. Populations have at least `parts`
/// parts each. Where `found` has a mapping onto as few cores as fit, that is
/// its first one, and the given order is not tried on fewer.
void sweepCores(const SearchSpace &space, std::vector<Candidate> &found,
                const std::string &how, const std::vector<uint32_t> &parts,
                bool inTiles);

/// Adds the first mapping that is found, from the fewest cores that the network
/// can do with on, onto fewer than the first of `found` has. A few numbers of
/// cores are looked at.
void sweepFewerCores(const SearchSpace &space, std::vector<Candidate> &found,
                     const std::string &how,
                     const std::vector<uint32_t> &parts);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_CORESWEEP_H
