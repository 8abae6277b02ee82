// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/transforms/raise/AffineForm.h"

#include <cmath>
#include <iterator>
#include <set>

namespace dendrolith {

// Two sums of a few terms each that are equal in reals.
constexpr double kRounding = 1e-13;

PerNeuron dividedBy(const PerNeuron &a, const PerNeuron &b) {
  return combine(a, b, [](double x, double y) { return x / y; });
}

PerNeuron scaledBy(const PerNeuron &a, const PerNeuron &b) {
  return combine(a, b, [](double x, double y) { return x * y; });
}

bool allAre(const PerNeuron &numbers, double value) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](double x) { return x == value; });
}

bool allPositive(const PerNeuron &numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](double x) { return x > 0; });
}

bool agree(const PerNeuron &a, const PerNeuron &b) {
  PerNeuron apart = combine(a, b, [](double x, double y) {
    return std::fabs(x - y) <= kRounding * std::max(std::fabs(x), std::fabs(y))
               ? 0.0
               : 1.0;
  });
  return allAre(apart, 0);
}

/// x + y, which is 0 where nothing but rounding is left.
static double cleanSum(double x, double y) {
  const double sum = x + y;
  constexpr double noise = 4 * 2.220446049250313e-16;
  return std::fabs(sum) <= noise * std::max(std::fabs(x), std::fabs(y)) ? 0
                                                                        : sum;
}

AffineForm AffineForm::constant(const PerNeuron &numbers) {
  AffineForm form;
  if (!allAre(numbers, 0))
    form.terms[{{}, kOne}] = numbers;
  return form;
}

AffineForm AffineForm::atom(unsigned atom) {
  AffineForm form;
  form.terms[{{}, atom}] = {1};
  return form;
}

AffineForm AffineForm::condition(unsigned condition) {
  AffineForm form;
  form.terms[{{condition}, kOne}] = {1};
  return form;
}

AffineForm AffineForm::plus(const AffineForm &other,
                            const PerNeuron &factor) const {
  AffineForm sum = *this;
  for (const auto &[term, numbers] : other.terms) {
    PerNeuron added = scaledBy(numbers, factor);
    auto [at, fresh] = sum.terms.try_emplace(term, added);
    if (!fresh)
      at->second = combine(at->second, added, cleanSum);
    if (allAre(at->second, 0))
      sum.terms.erase(at);
  }
  return sum;
}

std::optional<AffineForm> AffineForm::times(const AffineForm &other) const {
  AffineForm result;
  for (const auto &[a, x] : terms)
    for (const auto &[b, y] : other.terms) {
      if (a.second != kOne && b.second != kOne)
        return std::nullopt;
      std::vector<unsigned> both;
      std::set_union(a.first.begin(), a.first.end(), b.first.begin(),
                     b.first.end(), std::back_inserter(both));
      AffineForm one;
      one.terms[{std::move(both), std::max(a.second, b.second)}] =
          scaledBy(x, y);
      result = result.plus(one);
    }
  return result;
}

AffineForm AffineForm::scaled(const PerNeuron &factor) const {
  return AffineForm().plus(*this, factor);
}

PerNeuron AffineForm::of(unsigned atom) const {
  auto found = terms.find({{}, atom});
  return found == terms.end() ? PerNeuron{0} : found->second;
}

AffineForm AffineForm::under(const std::vector<unsigned> &conditions) const {
  AffineForm form;
  for (const auto &[term, numbers] : terms)
    if (term.first == conditions)
      form.terms[{{}, term.second}] = numbers;
  return form;
}

AffineForm AffineForm::withoutConstant() const {
  AffineForm form = *this;
  form.terms.erase({{}, kOne});
  return form;
}

std::optional<PerNeuron> AffineForm::asConstant() const {
  if (!withoutConstant().isZero())
    return std::nullopt;
  return of(kOne);
}

std::vector<unsigned> AffineForm::conditions() const {
  std::set<unsigned> found;
  for (const auto &[term, numbers] : terms)
    found.insert(term.first.begin(), term.first.end());
  return {found.begin(), found.end()};
}

bool AffineForm::mentions(unsigned atom) const {
  return std::any_of(terms.begin(), terms.end(), [&](const auto &entry) {
    return entry.first.second == atom;
  });
}

bool AffineForm::sameAs(const AffineForm &other) const {
  return std::equal(terms.begin(), terms.end(), other.terms.begin(),
                    other.terms.end(), [](const auto &a, const auto &b) {
                      return a.first == b.first && agree(a.second, b.second);
                    });
}

} // namespace dendrolith
