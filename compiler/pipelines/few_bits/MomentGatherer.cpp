// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/pipelines/few_bits/MomentGatherer.h"

#include <algorithm>

namespace dendrolith {

using Eigen::Index;

constexpr size_t kMostCorrelated = 4096; // elements: 128 MiB of products
constexpr Index kBatch = 128;            // updates added at a time

MomentGatherer::MomentGatherer(size_t elements, bool correlated)
    : sum(elements, 0.0), square(elements, 0.0) {
  if (correlated && elements <= kMostCorrelated) {
    products = Eigen::MatrixXd::Zero(Index(elements), Index(elements));
    batch.resize(Index(elements), kBatch);
  }
}

template <typename T> void MomentGatherer::addUpdate(const T *values) {
  active.clear();
  for (size_t i = 0; i < sum.size(); ++i)
    if (values[i] != 0) {
      sum[i] += double(values[i]);
      square[i] += double(values[i]) * double(values[i]);
      active.push_back(Index(i));
    }
  ++updates;
  if (products.size() == 0 || active.empty())
    return;
  if (active.size() * 8 < sum.size()) {
    for (Index j : active)
      for (Index i : active)
        if (i >= j)
          products(i, j) += double(values[i]) * double(values[j]);
    return;
  }
  for (size_t i = 0; i < sum.size(); ++i)
    batch(Index(i), filled) = double(values[i]);
  if (++filled == kBatch)
    flush();
}

void MomentGatherer::add(const double *values) { addUpdate(values); }
void MomentGatherer::add(const int64_t *values) { addUpdate(values); }

SourceMoments MomentGatherer::result() {
  flush();
  const double count = double(std::max<uint64_t>(updates, 1));
  for (size_t i = 0; i < sum.size(); ++i) {
    sum[i] /= count;
    square[i] /= count;
  }
  if (products.size()) {
    products /= count;
    products.triangularView<Eigen::StrictlyUpper>() = products.transpose();
  }
  return {std::move(sum), std::move(square), std::move(products)};
}

void MomentGatherer::flush() {
  if (filled)
    products.selfadjointView<Eigen::Lower>().rankUpdate(batch.leftCols(filled));
  filled = 0;
}

} // namespace dendrolith
