// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a message costs between cores, for searches that move neurons.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_MESSAGECOSTS_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_MESSAGECOSTS_H

#include "compiler/mapping/objective/ChipModel.h"

namespace dendrolith {

struct Ways {
  std::vector<double> between; ///< cores * cores
  std::vector<double> toHost;  ///< by core
};

/// Ways between the cores that have these ids. A message costs as much to its
/// own core as to one beside it, as the objective counts it; a hop costs
/// something even where it has no price.
Ways waysBetween(const std::vector<uint32_t> &cores, const Target &target,
                 const ChipModel &model);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_MESSAGECOSTS_H
