// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes into a population whose weights are to be chosen: the projections,
// their weights in the units in which they meet in a neuron, and which of them
// the plain quantiser makes exact.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERFEEDS_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERFEEDS_H

#include "compiler/transforms/quantise/CubaShape.h"
#include "compiler/transforms/quantise/LayerScale.h"
#include "compiler/transforms/quantise/WeightRows.h"
#include "targets/loader/Target.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>

namespace dendrolith {

/// What the source of a projection emits in the float network and in the one
/// whose earlier layers have their integers; null without samples.
struct FeedInputs {
  const SourceMoments *before = nullptr, *now = nullptr;
  /// How many of the source's ticks one update adds up; 0: not to be told.
  double perUpdate = 1;
};

/// One projection with weights.
struct LayerFeed {
  dend::ProjectOp project;
  SynapseArrays<double> synapses;
  ProjectionWeights scaled; // weights times the gains of their targets
  MantissaRange range;
  double unit = 1; // the source's payload, where it is known
  FeedInputs inputs;

  /// The largest mantissa of either sign.
  int64_t limit() const { return std::max(range.high, -range.low); }
};

struct LayerFeeds {
  dend::PopulationOp population;
  bool isCuba = false; // else a program, whose ports count in powers of two
  CubaShape shape;     // of fixed-function neurons
  std::vector<double> gain; // into v, by neuron
  size_t distinctThresholds = 0;
  std::vector<LayerFeed> feeds;

  /// The gain of a target element: those of fixed-function neurons are neurons.
  double gainOf(uint32_t target) const { return isCuba ? gain[target] : 1.0; }
};

/// Reads the projections into a population whose weights are to be chosen;
/// there are none where nothing is to be chosen. Pooling becomes a convolution
/// first, and weights that neurons of different gains share are spread. Fails
/// with a diagnostic.
mlir::FailureOr<LayerFeeds>
readFeeds(dend::PopulationOp population, const Target &chip,
          llvm::function_ref<FeedInputs(dend::ProjectOp)> inputsOf);

/// The least step that is a power of two of the port and clips nothing, as the
/// plain quantiser takes it for a program whose port counts in units `factor`
/// times as small.
double largestPowerStep(const LayerFeed &feed, double factor = 1);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERFEEDS_H
