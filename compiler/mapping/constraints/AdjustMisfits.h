// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why an adjustment ends without a mapping.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_ADJUSTMISFITS_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_ADJUSTMISFITS_H

#include "compiler/mapping/constraints/AdjustUnits.h"
#include "compiler/mapping/result/Fit.h"

namespace dendrolith {

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

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_ADJUSTMISFITS_H
