// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping that begins with cores which neurons have already, and changes them
// as far as constraints, limits and a better price ask for it.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_ADJUST_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_ADJUST_H

#include "compiler/mapping/constraints/AdjustUnits.h"
#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/Mapping.h"

namespace dendrolith {

/// First goes what constraints, limits and options.maxCores ask to move, pinned
/// neurons before others; new neurons go where their messages are. Then neurons
/// go where messages cost least, those that save most first, as long as no core
/// gets busier than the busiest one and moves are left. The mapping's cost is
/// the value of the goal. Constraints count in the neurons of `network`.
Fit<Mapping> adjust(const MapNetwork &network, const Target &target,
                    const MappingOptions &options, const ChipModel &model,
                    const Constraints &constraints, const Beginning &beginning);

// Why an adjustment ends without a mapping.

/// The unit finds no core.
Misfit nowhere(const AdjustUnits &all, uint32_t unit);
/// The part `worst` stays beyond a limit.
Misfit tooMuch(const AdjustUnits &all, const cluster::Parts &parts,
               uint32_t worst);
/// More neurons have to move than may.
Misfit tooManyMoves(const AdjustUnits &all, uint64_t moved);
/// Fewer or more cores are used than were asked for.
Misfit otherCores(const AdjustUnits &all, uint64_t used);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_ADJUST_H
