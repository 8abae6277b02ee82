// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the mapping that serves a goal best: over orders of neurons,
// over numbers of cores, and over places.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCH_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCH_H

#include "compiler/mapping/candidates/SearchSpace.h"
#include "compiler/mapping/network/MappingOptions.h"
#include "compiler/mapping/objective/Evaluation.h"
#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/Mapping.h"

namespace dendrolith {

/// Looks for the best mapping onto options.minCores to options.maxCores cores.
/// `fewest` is a mapping onto as few cores as the given order of neurons
/// allows, or why there is none. It is always among those compared, so that the
/// answer is never worse.
Fit<Mapping> searchMapping(const MapNetwork &network, const Target &target,
                           const MappingOptions &options,
                           const ChipModel &model, Fit<Mapping> fewest);

// Candidates on ever more cores: populations are cut into parts of equal work.

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

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCH_H
