// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of the float model that NeuroBench's static metrics need.

#ifndef DENDROLITH_COMPILER_PIPELINES_STATISTICS_H
#define DENDROLITH_COMPILER_PIPELINES_STATISTICS_H

#include "dialects/dend/Dend.h"

namespace dendrolith {

/// Sets the network's `statistics` attribute, where its importer has not, as of
/// the layers of the file: parameters and their bytes as the
/// model stores them (every constant), connection weights and how many of them
/// are zero, and synaptic operations of a tick in which every weight and input
/// is 1 (NeuroBench's Dense).
void recordStatistics(dend::NetworkOp network);

/// Sets the network's `layers` attribute: by population its neurons, the
/// `dend.branch` ops of its model with their range of neurons, and the synapses
/// it has from each source.
void recordLayers(dend::NetworkOp network);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_STATISTICS_H
