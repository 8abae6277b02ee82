// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real weights of a row (those that meet in one sum) as whole multiples of a
// step, such that the sum over the row's inputs changes least. Plain linear
// algebra, no IR.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_ROWROUNDING_H
#define DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_ROWROUNDING_H

#include <Eigen/Core>

#include <cmath>
#include <cstdint>
#include <vector>

namespace dendrolith {

/// The integers that a weight may become.
struct MantissaRange {
  int64_t low = 0, high = 0;
};

using Mantissas = std::vector<int64_t>;

/// What the inputs of a row are like: the error e of its weights costs e' H e.
class InputMetric {
public:
  /// Every weight counts alike: H is the identity.
  static InputMetric identity(Eigen::Index inputs);
  /// Inputs that are independent of each other, with these second moments.
  static InputMetric independent(Eigen::VectorXd moments);
  /// Inputs with these second moments, a symmetric matrix without negative
  /// eigenvalues.
  static InputMetric correlated(Eigen::MatrixXd moments);

  Eigen::Index inputs() const { return diagonal.size(); }
  /// Whether all inputs are zero: nothing can be told about the weights.
  bool silent() const { return isSilent; }
  double error(const Eigen::VectorXd &difference) const;
  /// The same as if the inputs were independent, which takes less time.
  double independentError(const Eigen::VectorXd &difference) const {
    return difference.dot(diagonal.cwiseProduct(difference));
  }

  /// Prepares compensate(): a Cholesky factor of the inverse of H + 0.01 mean
  /// diag(H), its columns in the order of falling moments. Nothing to prepare
  /// for independent inputs, whose errors cannot compensate each other.
  void factorise();
  bool isFactorised() const { return factor.size() > 0; }

  /// Rounds one weight after the other, the one with the largest moment first,
  /// and moves what each lost to those that follow (OBQ and GPTQ, Frantar et
  /// al., arXiv 2208.11580 and 2210.17323). Needs factorise().
  Mantissas compensate(const Eigen::VectorXd &weights, double step,
                       MantissaRange range) const;

private:
  Eigen::VectorXd diagonal;
  Eigen::MatrixXd moments; // empty for independent inputs
  bool isSilent = false;
  // Upper Cholesky factor of the inverse, rows contiguous, permuted by order.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> factor;
  std::vector<Eigen::Index> order;
};

/// round(weight / step), half to even, within the range.
Mantissas roundNearest(const Eigen::VectorXd &weights, double step,
                       MantissaRange range);

/// What is off: mantissas * step - weights.
Eigen::VectorXd difference(const Mantissas &mantissas, double step,
                           const Eigen::VectorXd &weights);

// How a real number becomes an integer.

/// Rounds half to even, as every quantised number is rounded.
inline int64_t roundEven(double value) {
  return static_cast<int64_t>(std::nearbyint(value));
}

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_QUANTISE_ROWROUNDING_H
