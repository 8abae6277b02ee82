// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps in which the weights of a layer will count: by the largest weight,
// or by a search within what thresholds and the host leave free.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERSTEPS_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERSTEPS_H

#include "compiler/transforms/quantise/LayerGrid.h"

namespace dendrolith {

struct LayerSteps {
  /// By feed, then by unit of the grid.
  std::vector<std::vector<double>> ofFeed;
  /// By unit: in what a fixed-function neuron counts as a whole; empty for a
  /// program.
  std::vector<double> ofNeurons;
};

/// Ports of programs have one step each. All feeds of a fixed-function neuron
/// count in its step, that of the feed with the largest weight, shifted by
/// bits.
LayerSteps chooseSteps(const LayerFeeds &layer, const LayerGrid &grid,
                       const Target &chip, const QuantiserOptions &options);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERSTEPS_H
