// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums up what one source emits over many updates into its moments.

#ifndef DENDROLITH_COMPILER_PIPELINES_FEW_BITS_MOMENTGATHERER_H
#define DENDROLITH_COMPILER_PIPELINES_FEW_BITS_MOMENTGATHERER_H

#include "compiler/transforms/quantise/WeightRows.h"

namespace dendrolith {

/// Updates with few values that are not zero are added at once, others in
/// batches.
class MomentGatherer {
public:
  /// Products are gathered where `correlated` and there are at most 4096
  /// elements.
  MomentGatherer(size_t elements, bool correlated);

  /// One update, a value per element.
  void add(const double *values);
  void add(const int64_t *values);

  /// Means over all updates, which are given up.
  SourceMoments result();

private:
  template <typename T> void addUpdate(const T *values);
  void flush();

  std::vector<double> sum, square;
  Eigen::MatrixXd products, batch; // lower triangle
  std::vector<Eigen::Index> active;
  Eigen::Index filled = 0;
  uint64_t updates = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_FEW_BITS_MOMENTGATHERER_H
