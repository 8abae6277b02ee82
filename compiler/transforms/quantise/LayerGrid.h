// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer's weights as the rows among which StepSearch chooses steps: what the
// inputs of each row are like, how much its error counts, and which rows share
// a step because their neurons share weights.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERGRID_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERGRID_H

#include "compiler/transforms/quantise/LayerFeeds.h"
#include "compiler/transforms/quantise/QuantiserOptions.h"
#include "compiler/transforms/quantise/StepSearch.h"

namespace dendrolith {

/// The rows of one feed. They point into `metrics`: this is moved, never
/// copied.
struct FeedGrid {
  WeightRows rows;
  std::vector<InputMetric> metrics; // by WeightRows::inputs
  std::vector<GridRow> grid;        // by row
  bool silent = false;              // nothing arrives from the source
};

struct LayerGrid {
  std::vector<uint32_t> unitOf; // by neuron, or by target element
  std::vector<FeedGrid> feeds;  // as LayerFeeds::feeds
};

LayerGrid makeGrid(const LayerFeeds &layer, const QuantiserOptions &options);

/// Warns where nothing arrives from a source on the calibration samples.
void warnOfSilence(const LayerFeeds &layer, const LayerGrid &grid);

/// Whether a bias sets the mean sums of this feed right afterwards.
bool correctsMeans(const LayerFeed &feed, const QuantiserOptions &options);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERGRID_H
