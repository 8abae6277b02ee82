// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer's weights as the rows among which StepSearch chooses steps: what the
// inputs of each row are like, how much its error counts, and which rows share
// a step because their neurons share weights.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERGRID_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_LAYERGRID_H

#include "compiler/transforms/quantise/LayerFeeds.h"
#include "compiler/transforms/quantise/QuantiserOptions.h"
#include "compiler/transforms/quantise/RowRounding.h"

namespace dendrolith {

// Which step each row of a layer counts in: of a list of candidates those that
// cost least, with at most so many distinct ones in the layer. No IR.

/// A row of weights, in units in which all rows of a layer are compared.
struct GridRow {
  Eigen::VectorXd weights;
  const InputMetric *metric = nullptr;
  double importance = 1; ///< of its error
  size_t unit = 0;       ///< rows of one unit have one step
};

/// What was chosen for the rows of one projection.
struct GridChoice {
  std::vector<double> step;         ///< by unit
  std::vector<Mantissas> mantissas; ///< by row
  double error = 0;                 ///< of all rows, by their importance
  double size = 0;                  ///< what weights of zero would cost
  uint64_t clipped = 0;             ///< weights beyond the range
};

/// Rounds every row at its unit's step: by compensation where `compensating`
/// and the row's metric allow it and the error is less for it, else to nearest.
GridChoice roundRows(const std::vector<GridRow> &rows,
                     const std::vector<double> &step, MantissaRange range,
                     bool compensating);

/// The steps of least error for `units` units from at most `distinct` of
/// `candidates`, chosen one after the other: each time the one that lowers the
/// error most, until none lowers it by a thousandth. Ties go to the earlier
/// candidate.
std::vector<double> searchSteps(const std::vector<GridRow> &rows, size_t units,
                                const std::vector<double> &candidates,
                                size_t distinct, MantissaRange range,
                                bool compensating);

/// Rows that stand for all where these have one step, evenly spaced: a few tell
/// it as well as hundreds.
std::vector<GridRow> sampledRows(const std::vector<GridRow> &rows);

/// `count` steps from `largest` downwards, each 2^(1/8) below the one before.
std::vector<double> geometricSteps(double largest, size_t count);

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
