// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices change cores under what a step costs, not under message-hops alone.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_POLISH_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_POLISH_H

#include "compiler/mapping/candidates/Arrangement.h"

namespace dendrolith {

/// Gives logical cores places on the mesh: those with much host traffic near
/// the host, those that talk to each other near each other.
SliceCores placeOnMesh(const Arrangement &arrangement,
                       const std::vector<uint32_t> &partition,
                       const Target &target, uint64_t budget);

/// Moves and swaps slices as long as that lowers the goal. The goal is taken as
/// linear in message-hops and in the work of the busiest core; `now` is the
/// evaluation of `cores`, from which the slopes follow. `budget` counts
/// distances looked up.
SliceCores polish(const Arrangement &arrangement, const SliceCores &cores,
                  const Evaluation &now, const Target &target,
                  const ChipModel &model, Goal goal, uint64_t budget);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_POLISH_H
