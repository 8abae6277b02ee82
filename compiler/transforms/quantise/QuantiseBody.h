// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A population whose step body is quantised value by value: what runs as a
// program on a programmable neuron.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEBODY_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEBODY_H

#include "compiler/transforms/quantise/WeightChoices.h"
#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// Replaces the population's model by one in fixed point and binds integer
/// parameters; weights and biases of its projections become mantissas. The
/// model is the population's own, its structure ops are expanded and its values
/// have ranges (--dend-prepare, calibration). Real outputs that only the host
/// reads become states that it probes. Appends rows to the report. Fails with a
/// diagnostic that names population and value: no ranges, an op without
/// fixed-point form, a pole that rounds onto or beyond the unit circle, an SSF
/// scale that rounds to zero.
mlir::LogicalResult
quantiseBody(dend::PopulationOp population, const Target &chip,
             const WeightChoices &choices,
             llvm::SmallVectorImpl<report::QuantRowAttr> &report);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_QUANTISEBODY_H
