// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A population of programs that counts a port in another unit: its weights are
// multiplied by a factor, and the body undoes it, exactly in reals.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_RESCALE_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_RESCALE_H

#include "compiler/transforms/quantise/Degrees.h"

namespace dendrolith {

/// How a prepared population scales with the unit of a port, where that is
/// free: its body is homogeneous, it alone has the model, and every projection
/// that would have to change has weights.
std::optional<Degrees> freeUnitOf(dend::PopulationOp population,
                                  llvm::StringRef port);

/// Multiplies what comes into the population, its parameters and initial states
/// by powers of `factor` as the degrees say, divides the weights of what it
/// sends, and scales the ranges that calibration saw. Units of states and
/// outputs that changed are noted (dialects/dend/NumberAttrs.h).
void rescale(dend::PopulationOp population, const Degrees &degrees,
             double factor);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_RESCALE_H
