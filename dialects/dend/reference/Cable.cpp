// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Cable.h"

#include <algorithm>
#include <cmath>

namespace dendrolith::dend {
namespace {

using Matrix = std::vector<double>; // n x n, row-major

Matrix product(const Matrix &a, const Matrix &b, size_t n) {
  Matrix c(n * n, 0.0);
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < n; ++k)
      for (size_t j = 0; j < n; ++j)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  return c;
}

/// Largest sum of magnitudes in a row.
double norm(const Matrix &m, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (size_t j = 0; j < n; ++j)
      sum += std::fabs(m[i * n + j]);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// exp(m): halved until the norm is below 1/2, where 20 terms of the series
/// leave less than 2^-80, then squared as often.
Matrix exponential(Matrix m, size_t n) {
  int halvings = 0;
  double size = norm(m, n);
  if (std::isfinite(size) && size > 0.5)
    halvings = int(std::ceil(std::log2(size))) + 1;
  for (double &x : m)
    x = std::ldexp(x, -halvings);
  Matrix sum(n * n, 0.0), term(n * n, 0.0);
  for (size_t i = 0; i < n; ++i)
    sum[i * n + i] = term[i * n + i] = 1;
  for (int k = 1; k <= 20; ++k) {
    term = product(term, m, n);
    for (size_t i = 0; i < n * n; ++i) {
      term[i] /= k;
      sum[i] += term[i];
    }
  }
  for (int i = 0; i < halvings; ++i)
    sum = product(sum, sum, n);
  return sum;
}

} // namespace

CableStep cableStep(const std::vector<double> &diag,
                    const std::vector<double> &lower,
                    const std::vector<double> &upper,
                    const std::vector<double> &gamma, double dt) {
  size_t K = diag.size(), n = K + 1;
  Matrix m(n * n, 0.0);
  for (size_t k = 0; k < K; ++k) {
    m[k * n + k] = diag[k] * dt;
    m[k * n + K] = gamma[k] * dt;
    if (k + 1 < K) {
      m[(k + 1) * n + k] = lower[k] * dt;
      m[k * n + k + 1] = upper[k] * dt;
    }
  }
  m = exponential(std::move(m), n);
  CableStep step{std::vector<double>(K * K), std::vector<double>(K)};
  for (size_t k = 0; k < K; ++k) {
    std::copy_n(m.begin() + k * n, K, step.keep.begin() + k * K);
    step.gain[k] = m[k * n + K];
  }
  return step;
}

} // namespace dendrolith::dend
