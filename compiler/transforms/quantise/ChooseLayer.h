// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integers of all weights into one population, chosen such that the sums
// of its neurons change least on calibration samples.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CHOOSELAYER_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CHOOSELAYER_H

#include "compiler/transforms/quantise/LayerFeeds.h"
#include "compiler/transforms/quantise/LayerGrid.h"
#include "compiler/transforms/quantise/QuantiserOptions.h"
#include "compiler/transforms/quantise/WeightChoices.h"

namespace dendrolith {

struct ChosenFeed {
  dend::ProjectOp project;
  std::vector<double> weights; ///< the reals that the integers stand for
  /// What the mean sum of each target lost; empty where nothing was chosen.
  std::vector<double> lost;
};

/// Chooses the weights of the projections into a population, but for those that
/// the plain quantiser makes exact. `largest` are the largest magnitudes of its
/// states, by state and neuron, or empty. Pooling becomes a convolution first,
/// and weights that neurons of different gains share are spread. Fails with a
/// diagnostic.
mlir::FailureOr<std::vector<ChosenFeed>>
chooseLayer(dend::PopulationOp population, const Target &chip,
            const QuantiserOptions &options,
            llvm::function_ref<FeedInputs(dend::ProjectOp)> inputsOf,
            llvm::ArrayRef<std::vector<double>> largest,
            WeightChoices &choices);

// The steps in which the weights of a layer will count: by the largest weight,
// or by a search within what thresholds and the host leave free.

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

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CHOOSELAYER_H
