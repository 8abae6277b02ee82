// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping that begins with cores which neurons have already, and changes them
// as far as constraints, limits and a better price ask for it.

#ifndef DENDROLITH_COMPILER_MAPPING_SEARCH_ADJUST_H
#define DENDROLITH_COMPILER_MAPPING_SEARCH_ADJUST_H

#include "compiler/mapping/Constraints.h"
#include "compiler/mapping/objective/Evaluation.h"

namespace dendrolith {

struct Beginning {
  NeuronCores cores; ///< by population; noCore for neurons that have none yet
  /// Neurons that may have another core in the end; 0 = any number.
  uint64_t maxMoves = 0;
  std::string how; ///< of the row in the report's trade-off
};

/// The chip with so much less room on each core as is reserved on all of them.
Target withoutReserves(const Target &target, const Constraints &constraints);

/// First goes what constraints, limits and options.maxCores ask to move, pinned
/// neurons before others; new neurons go where their messages are. Then neurons
/// go where messages cost least, those that save most first, as long as no core
/// gets busier than the busiest one and moves are left. The mapping's cost is
/// the value of the goal. Constraints count in the neurons of `network`.
Fit<Mapping> adjust(const MapNetwork &network, const Target &target,
                    const MappingOptions &options, const ChipModel &model,
                    const Constraints &constraints, const Beginning &beginning);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_SEARCH_ADJUST_H
