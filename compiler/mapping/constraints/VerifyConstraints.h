// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a mapping keeps the constraints, from its slices alone.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_VERIFYCONSTRAINTS_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_VERIFYCONSTRAINTS_H

#include "compiler/mapping/constraints/Constraints.h"

namespace dendrolith {

/// Throws Error, with its place, for the first pin, group, forbidden core and
/// reserve, in this order, that slices do not keep. `network` is as they see
/// it; `order` says which neuron of the model is where.
void verify(const Constraints &constraints, const MapNetwork &network,
            const Target &target, const std::vector<Slice> &slices,
            const NeuronOrder &order = {});

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_VERIFYCONSTRAINTS_H
