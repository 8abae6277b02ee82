// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDCUBA_H
#define DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDCUBA_H

#include "dialects/dend/Dend.h"

namespace dendrolith {

/// Replaces every dend.cuba of a model by fixed-point arithmetic with the same
/// results for every value of its states and parameters, as long as the input
/// and the bias leave 64 bits room. Parameters and the refractory count become
/// !dend.fx<32, 0>, which binds the same integers. An op whose parameters or
/// count have other uses is left alone.
void expandCuba(dend::NeuronOp model);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_STRUCTURE_EXPANDCUBA_H
