// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/structure/CableModes.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <cmath>
#include <limits>

namespace dendrolith {
namespace {

using llvm::ArrayRef;

Eigen::VectorXd vectorOf(ArrayRef<double> values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(),
                                           Eigen::Index(values.size()));
}

template <typename Vector>
std::vector<std::complex<double>> listOf(const Vector &vector) {
  std::vector<std::complex<double>> list;
  for (Eigen::Index i = 0; i < vector.size(); ++i)
    list.push_back(vector[i]);
  return list;
}

double ratio(double largest, double smallest) {
  double condition = largest / smallest;
  return std::isfinite(condition) ? condition
                                  : std::numeric_limits<double>::infinity();
}

CableModes symmetric(ArrayRef<double> diag, ArrayRef<double> lower,
                     ArrayRef<double> upper, ArrayRef<double> gamma) {
  auto K = Eigen::Index(diag.size());
  Eigen::VectorXd D = Eigen::VectorXd::Ones(K),
                  off(std::max<Eigen::Index>(K - 1, 0));
  for (Eigen::Index k = 0; k + 1 < K; ++k) {
    double low = lower[size_t(k)], up = upper[size_t(k)];
    D[k + 1] = D[k] * std::sqrt(low / up);
    off[k] = std::copysign(std::sqrt(low * up), low);
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(vectorOf(diag), off);
  const Eigen::MatrixXd &Q = solver.eigenvectors();
  Eigen::VectorXd gain = Q.transpose() * vectorOf(gamma).cwiseQuotient(D);
  Eigen::VectorXd read = Q.row(K - 1).transpose() * D[K - 1];
  return {listOf(solver.eigenvalues()), listOf(gain), listOf(read), true,
          ratio(D.maxCoeff(), D.minCoeff())};
}

CableModes general(ArrayRef<double> diag, ArrayRef<double> lower,
                   ArrayRef<double> upper, ArrayRef<double> gamma) {
  auto K = Eigen::Index(diag.size());
  Eigen::MatrixXd T = vectorOf(diag).asDiagonal();
  for (Eigen::Index k = 0; k + 1 < K; ++k) {
    T(k + 1, k) = lower[size_t(k)];
    T(k, k + 1) = upper[size_t(k)];
  }
  Eigen::EigenSolver<Eigen::MatrixXd> solver(T);
  Eigen::MatrixXcd P = solver.eigenvectors();
  // P is square, so that Jacobi needs no decomposition before it.
  Eigen::VectorXd sizes =
      Eigen::JacobiSVD<Eigen::MatrixXcd, Eigen::NoQRPreconditioner>(P)
          .singularValues();
  CableModes modes;
  modes.condition = ratio(sizes[0], sizes[K - 1]);
  if (std::isinf(modes.condition))
    return modes;
  Eigen::VectorXcd gain =
      P.partialPivLu().solve(vectorOf(gamma).cast<std::complex<double>>());
  modes.lambda = listOf(solver.eigenvalues());
  modes.gain = listOf(gain);
  modes.read = listOf(P.row(K - 1).transpose());
  // The eigenvectors of real eigenvalues of a real matrix are real.
  modes.real = true;
  for (std::complex<double> lambda : modes.lambda)
    modes.real &= lambda.imag() == 0;
  return modes;
}

} // namespace

CableModes cableModes(ArrayRef<double> diag, ArrayRef<double> lower,
                      ArrayRef<double> upper, ArrayRef<double> gamma) {
  for (size_t k = 0; k < lower.size(); ++k)
    if (!(lower[k] * upper[k] > 0))
      return general(diag, lower, upper, gamma);
  return symmetric(diag, lower, upper, gamma);
}

} // namespace dendrolith
