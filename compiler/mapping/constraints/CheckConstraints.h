// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether constraints agree with one another and leave the network enough.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CHECKCONSTRAINTS_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CHECKCONSTRAINTS_H

#include "compiler/mapping/constraints/Constraints.h"

namespace dendrolith {

/// Throws Error, with the place of an entry and the text of the other, where
/// two entries contradict one another or all of them leave the network too
/// little. Contradictions: pins of one neuron or group to different cores, pins
/// to forbidden cores, members of a group that are kept apart. Too little: more
/// neurons on pinned cores than these have slots, more members apart than
/// cores, fewer cores than the network needs (Bounds.h).
void check(const Constraints &constraints, const MapNetwork &network,
           const Target &target);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CHECKCONSTRAINTS_H
