// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why an adjustment ends without a mapping.

#ifndef NEURITE_COMPILER_MAPPING_SEARCH_ADJUSTMISFITS_H
#define NEURITE_COMPILER_MAPPING_SEARCH_ADJUSTMISFITS_H

#include "compiler/mapping/search/AdjustUnits.h"

namespace neurite {

/// The unit finds no core.
Misfit nowhere(const AdjustUnits &all, uint32_t unit);
/// The part `worst` stays beyond a limit.
Misfit tooMuch(const AdjustUnits &all, const cluster::Parts &parts,
               uint32_t worst);
/// More neurons have to move than may.
Misfit tooManyMoves(const AdjustUnits &all, uint64_t moved);
/// Fewer or more cores are used than were asked for.
Misfit otherCores(const AdjustUnits &all, uint64_t used);

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_SEARCH_ADJUSTMISFITS_H
