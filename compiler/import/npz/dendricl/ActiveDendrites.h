// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint of Active Dendrites (models/dendricl/EQUATIONS.md has its keys
// and equations) as a network: units gated by the best of their dendritic
// segments, of which the k winners spike.
//
// A. Iyer et al., Avoiding Catastrophe: Active Dendrites Enable Multi-Task
// Learning in Dynamic Environments, Frontiers in Neurorobotics 16, 2022,
// https://arxiv.org/abs/2201.00042

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_ACTIVEDENDRITES_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_ACTIVEDENDRITES_H

#include "compiler/import/npz/common/Kind.h"

namespace dendrolith::npz {

/// Its network has input @x, the wide neurons @L0, @L1, ... that let the k
/// winners of a layer spike, the gated units @U1, @U2, ... (state "u", a number
/// per segment), @out and output @y.
CheckpointKind activeDendritesKind();

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_ACTIVEDENDRITES_H
