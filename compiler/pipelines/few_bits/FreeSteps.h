// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ports of programs count in powers of two, which may be far from the best step
// for their weights. Where the unit of a port is free, another unit makes the
// best step a power of two; where that of each of its elements is, each branch
// has its own.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_FREESTEPS_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_FREESTEPS_H

#include "compiler/pipelines/few_bits/Activity.h"
#include "compiler/pipelines/few_bits/PopulationOrder.h"
#include "compiler/transforms/quantise/LayerFeeds.h"
#include "compiler/transforms/quantise/QuantiserOptions.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace dendrolith {

/// What the source of a projection emits.
using InputsOf = llvm::function_ref<FeedInputs(dend::ProjectOp)>;

/// What is said of the branches that a projection leads to.
using BranchNotes = llvm::DenseMap<mlir::Operation *, std::string>;

/// Measures each port whose unit is free (Rescale.h) in the one of eight units,
/// 2^(1/8) apart, in which powers of two lose least of the sums, population
/// after population in the order of the data; each element for itself where the
/// port is linear (LinearPort.h). `activity`, that of the float network, is
/// scaled alike. Fails with a diagnostic.
mlir::LogicalResult freeSteps(const PopulationOrder &order, const Target &chip,
                              const QuantiserOptions &options,
                              InputsOf inputsOf, Activity &activity,
                              BranchNotes &notes);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_FREESTEPS_H
