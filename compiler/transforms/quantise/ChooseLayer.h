// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integers of all weights into one population, chosen such that the sums
// of its neurons change least on calibration samples.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CHOOSELAYER_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CHOOSELAYER_H

#include "compiler/transforms/quantise/LayerFeeds.h"
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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_CHOOSELAYER_H
