// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights of a projection as rows: those that meet in the sum of one
// neuron, or of all neurons of a channel where neurons share their weights.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_WEIGHTROWS_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_WEIGHTROWS_H

#include "compiler/transforms/network/Synapses.h"
#include "compiler/transforms/quantise/RowRounding.h"

namespace dendrolith {

/// What a source emitted over a run, per tick.
struct SourceMoments {
  std::vector<double> mean, square; ///< by element
  Eigen::MatrixXd products;         ///< mean of x x'; empty if not gathered
};

struct WeightRow {
  std::vector<uint32_t> weights; ///< indices of the projection's weights
  std::vector<uint32_t> targets;
  size_t inputs = 0; ///< index in WeightRows::inputs
};

/// Which sources the weights of a row see: for each of its targets a list of
/// (position in the row, source).
using RowInputs = std::vector<std::vector<std::pair<uint32_t, uint32_t>>>;

struct WeightRows {
  std::vector<WeightRow> rows;
  std::vector<RowInputs> inputs; ///< rows that see the same share one
};

/// Rows by ascending first target. A weight that no synapse uses is in none.
WeightRows rowsOf(const SynapseArrays<double> &synapses, size_t targets);

/// Mean of what each weight of a row sees, over the row's targets.
Eigen::VectorXd meanInput(const RowInputs &inputs, size_t width,
                          const std::vector<double> &mean);

/// The metric of a row whose mean sum is set right by a bias afterwards
/// (`centred`), or is not.
InputMetric metricOf(const RowInputs &inputs, size_t width,
                     const SourceMoments &source, bool centred);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_WEIGHTROWS_H
