// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The normal form in which two ways to write one affine function are equal: a
// sum of atoms, each times a number and a product of conditions that are 0 or
// 1. A condition times itself is the condition.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_RAISE_AFFINEFORM_H
#define DENDROLITH_COMPILER_TRANSFORMS_RAISE_AFFINEFORM_H

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace dendrolith {

/// A number for each neuron, or one where all have the same.
using PerNeuron = std::vector<double>;

/// Applies `apply` to the numbers of each neuron.
template <typename Apply>
PerNeuron combine(const PerNeuron &a, const PerNeuron &b, Apply apply) {
  PerNeuron result(std::max(a.size(), b.size()));
  for (size_t n = 0; n < result.size(); ++n)
    result[n] = apply(a[a.size() == 1 ? 0 : n], b[b.size() == 1 ? 0 : n]);
  return result;
}

PerNeuron dividedBy(const PerNeuron &a, const PerNeuron &b);
PerNeuron scaledBy(const PerNeuron &a, const PerNeuron &b);
/// Whether every neuron's number is `value`.
bool allAre(const PerNeuron &numbers, double value);
bool allPositive(const PerNeuron &numbers);
/// Whether the numbers of each neuron agree but for rounding.
bool agree(const PerNeuron &a, const PerNeuron &b);

class AffineForm {
public:
  /// Conditions in ascending order, and an atom or kOne.
  using Term = std::pair<std::vector<unsigned>, unsigned>;
  static constexpr unsigned kOne = 0;

  static AffineForm constant(const PerNeuron &numbers);
  static AffineForm atom(unsigned atom);
  static AffineForm condition(unsigned condition);

  /// this + factor * other
  AffineForm plus(const AffineForm &other, const PerNeuron &factor = {1}) const;
  /// None where the product of two atoms is no affine function.
  std::optional<AffineForm> times(const AffineForm &other) const;
  AffineForm scaled(const PerNeuron &factor) const;

  /// The number of an atom, or kOne, without a condition; 0 if there is none.
  PerNeuron of(unsigned atom) const;
  /// What is multiplied by no condition, and by `condition` alone.
  AffineForm unconditional() const { return under({}); }
  AffineForm under(const std::vector<unsigned> &conditions) const;
  AffineForm withoutConstant() const;
  /// The numbers where there is nothing else.
  std::optional<PerNeuron> asConstant() const;
  /// The conditions that occur.
  std::vector<unsigned> conditions() const;
  bool mentions(unsigned atom) const;
  bool isZero() const { return terms.empty(); }
  bool sameAs(const AffineForm &other) const;

  std::map<Term, PerNeuron> terms; ///< without those that are 0 everywhere
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_RAISE_AFFINEFORM_H
