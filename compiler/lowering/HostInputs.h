// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the host of a chip sends an input: in payloads, or in unit spikes.

#ifndef DENDROLITH_COMPILER_LOWERING_HOSTINPUTS_H
#define DENDROLITH_COMPILER_LOWERING_HOSTINPUTS_H

#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// Whether the host of the chip sends an input in unit spikes.
bool leavesInUnits(dend::InputOp input, const Target &chip);
/// Whether negative values of such an input leave by a second source of their
/// element, as unit spikes have no sign.
bool isSplit(dend::InputOp input, const Target &chip);

/// A host without payloads for an input sends unit spikes, which take time.
/// Fails with a diagnostic for an input of larger values than that allows.
mlir::LogicalResult checkHost(dend::InputOp input, const Target &chip);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_HOSTINPUTS_H
