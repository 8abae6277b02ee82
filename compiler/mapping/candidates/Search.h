// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for the mapping that serves a goal best: over orders of neurons,
// over numbers of cores, and over places.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCH_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCH_H

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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_SEARCH_H
