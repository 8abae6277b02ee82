// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a chip holds the integers of a network. What this compiler quantised
// for the chip always passes; networks that come in integers may not.

#ifndef DENDROLITH_COMPILER_LOWERING_CHECKFORMATS_H
#define DENDROLITH_COMPILER_LOWERING_CHECKFORMATS_H

#include "compiler/lowering/Engines.h"

namespace dendrolith {

/// Fails with a refusal that names the layer, the value and the key of
/// `formats` which cannot hold it.
mlir::LogicalResult checkFormats(dend::PopulationOp population,
                                 const CubaTable &cuba, const Target &chip);

/// The same of the weights of a projection. The exponents of `formats` belong
/// to the fixed-function neuron: `cuba` says whether they go to one.
mlir::LogicalResult checkFormats(dend::ProjectOp project, bool cuba,
                                 const Target &chip);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_CHECKFORMATS_H
