// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Costs of a message between cores, for searches that move neurons.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_MESSAGECOSTS_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_MESSAGECOSTS_H

#include "compiler/mapping/objective/ChipModel.h"

namespace dendrolith {

struct MessageCosts {
  std::vector<double> between; ///< cores * cores
  std::vector<double> toHost;  ///< by core
};

/// Costs between the cores that have these ids. A message costs as much to its
/// own core as to one beside it, as the objective counts it; a hop costs
/// something even where it has no price.
MessageCosts messageCosts(const std::vector<uint32_t> &cores,
                          const Target &target, const ChipModel &model);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_MESSAGECOSTS_H
