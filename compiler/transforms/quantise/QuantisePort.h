// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unit of a port of a programmable neuron, and the synapses into it.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEPORT_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEPORT_H

#include "compiler/transforms/quantise/QuantiseSynapses.h"
#include "compiler/transforms/quantise/WeightChoices.h"

namespace dendrolith {

/// Chooses the port's unit 2^e, a power of two, so that no gain is needed
/// behind it: each projection's largest weight fills its mantissa to less than
/// a factor of two, and biases are 2^6 times finer than the finest weight where
/// the target's shifts reach that far. Its width holds every sum that spikes
/// can make, so it never wraps. Rewrites weights and biases; appends a row of
/// the report for each projection. Fails with a diagnostic on sources that emit
/// reals and on sums beyond 62 bits. Mantissas that were chosen before are
/// taken as they are.
mlir::FailureOr<dend::FxType>
quantisePort(dend::PopulationOp population, llvm::StringRef port,
             const NumberFormats &formats, const WeightChoices &choices,
             llvm::SmallVectorImpl<report::QuantRowAttr> &report);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEPORT_H
