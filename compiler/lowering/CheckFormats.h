// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a chip holds the integers of a network. What this compiler quantised
// for the chip always passes; networks that come in integers may not.

#ifndef DENDROLITH_COMPILER_LOWERING_CHECKFORMATS_H
#define DENDROLITH_COMPILER_LOWERING_CHECKFORMATS_H

#include "compiler/lowering/Engines.h"

#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// Fails with a refusal that names the layer, the value and the key of
/// `formats` which cannot hold it.
mlir::LogicalResult checkFormats(dend::PopulationOp population,
                                 const CubaTable &cuba, const Target &chip);

/// The same of the weights of a projection. The exponents of `formats` belong
/// to the fixed-function neuron: `cuba` says whether they go to one.
mlir::LogicalResult checkFormats(dend::ProjectOp project, bool cuba,
                                 const Target &chip);

/// Fails where the chip cannot shift products as a projection does, or where
/// the source leaves in units, each of which would be shifted by itself.
mlir::LogicalResult checkProductShift(dend::ProjectOp project, bool inUnits,
                                      const Target &chip);

/// Whether the host of the chip sends an input in unit spikes.
bool leavesInUnits(dend::InputOp input, const Target &chip);
/// Whether negative values of such an input leave by a second source of their
/// element, as unit spikes have no sign.
bool isSplit(dend::InputOp input, const Target &chip);

/// A host without payloads for an input sends unit spikes, which take time.
/// Fails with a diagnostic for an input of larger values than that allows.
mlir::LogicalResult checkHost(dend::InputOp input, const Target &chip);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_CHECKFORMATS_H
