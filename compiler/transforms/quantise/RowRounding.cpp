// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/quantise/RowRounding.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <numeric>

namespace dendrolith {
namespace {

using Eigen::Index;

// Shares of the mean of the diagonal, which are added to it: moments of few
// samples are uncertain, in the error and in what compensates it.
constexpr double kErrorDamping = 1e-3, kCompensationDamping = 1e-2;

int64_t toMantissa(double weight, double step, MantissaRange range) {
  return std::clamp(roundEven(weight / step), range.low, range.high);
}

} // namespace

InputMetric InputMetric::identity(Index inputs) {
  InputMetric metric;
  metric.diagonal = Eigen::VectorXd::Ones(inputs);
  return metric;
}

InputMetric InputMetric::independent(Eigen::VectorXd moments) {
  InputMetric metric;
  double mean = moments.size() ? moments.mean() : 0.0;
  metric.isSilent = !(mean > 0);
  metric.diagonal = moments.array() + kErrorDamping * mean;
  return metric;
}

InputMetric InputMetric::correlated(Eigen::MatrixXd moments) {
  InputMetric metric = independent(moments.diagonal());
  moments.diagonal() = metric.diagonal;
  metric.moments = std::move(moments);
  return metric;
}

double InputMetric::error(const Eigen::VectorXd &difference) const {
  if (moments.size() == 0)
    return independentError(difference);
  return difference.dot(moments * difference);
}

void InputMetric::factorise() {
  if (isSilent || moments.size() == 0 || isFactorised())
    return;
  order.resize(size_t(inputs()));
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return diagonal[a] > diagonal[b]; });
  const Index n = inputs();
  Eigen::MatrixXd damped(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      damped(i, j) = moments(order[size_t(i)], order[size_t(j)]);
  damped.diagonal().array() += kCompensationDamping * diagonal.mean();
  Eigen::LLT<Eigen::MatrixXd> forward(damped);
  if (forward.info() != Eigen::Success)
    return;
  Eigen::LLT<Eigen::MatrixXd> inverse(
      forward.solve(Eigen::MatrixXd::Identity(n, n)));
  if (inverse.info() != Eigen::Success)
    return;
  factor = inverse.matrixU();
}

Mantissas InputMetric::compensate(const Eigen::VectorXd &weights, double step,
                                  MantissaRange range) const {
  const Index n = inputs();
  Eigen::VectorXd left(n);
  for (Index i = 0; i < n; ++i)
    left[i] = weights[order[size_t(i)]];
  Mantissas mantissas(static_cast<size_t>(n));
  for (Index i = 0; i < n; ++i) {
    int64_t mantissa = toMantissa(left[i], step, range);
    mantissas[size_t(order[size_t(i)])] = mantissa;
    double lost = (left[i] - double(mantissa) * step) / factor(i, i);
    Index rest = n - i - 1;
    left.tail(rest) -= lost * factor.row(i).tail(rest).transpose();
  }
  return mantissas;
}

Mantissas roundNearest(const Eigen::VectorXd &weights, double step,
                       MantissaRange range) {
  Mantissas mantissas(static_cast<size_t>(weights.size()));
  for (Index i = 0; i < weights.size(); ++i)
    mantissas[size_t(i)] = toMantissa(weights[i], step, range);
  return mantissas;
}

Eigen::VectorXd difference(const Mantissas &mantissas, double step,
                           const Eigen::VectorXd &weights) {
  Eigen::VectorXd off(weights.size());
  for (Index i = 0; i < weights.size(); ++i)
    off[i] = double(mantissas[size_t(i)]) * step - weights[i];
  return off;
}

} // namespace dendrolith
