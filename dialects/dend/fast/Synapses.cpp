// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/fast/Synapses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

using namespace mlir;

namespace dendrolith::dend::fast {

/// Puts the narrow form of numbers that it holds exactly in place of them.
template <typename Narrow, typename Wide, typename Weights>
static void keepNarrowest(std::vector<Wide> wide, Weights &weights) {
  const bool fits = llvm::all_of(wide, [](Wide x) {
    if constexpr (std::is_integral_v<Wide>)
      return Wide(Narrow(x)) == x;
    else // what float does not reach is not cast to it
      return std::fabs(x) <= std::numeric_limits<Narrow>::max() &&
             Wide(Narrow(x)) == x;
  });
  if (fits)
    weights = std::vector<Narrow>(wide.begin(), wide.end());
  else
    weights = std::move(wide);
}

bool Synapses::takeDense(const Connections &all) {
  const auto sources = size_t(all.sources);
  // A weight of zero adds nothing. Where few integers are zero, they stay
  // nevertheless: rows without gaps are faster.
  const auto count = size_t(all.weights.size());
  const auto zeros = uint64_t(all.intoReals ? llvm::count(all.weights.real, 0.0)
                                            : llvm::count(all.weights.ints, 0));
  if (zeros > (all.intoReals ? 0 : count / 4))
    return false;
  begin.resize(sources + 1);
  for (size_t s = 0; s < begin.size(); ++s)
    begin[s] = s * targets;
  target.resize(count);
  for (size_t i = 0; i < count; ++i)
    target[i] = uint32_t(i % targets);
  auto bySource = [&](const auto &byTarget) {
    auto turned = byTarget;
    for (size_t t = 0; t < targets; ++t)
      for (size_t s = 0; s < sources; ++s)
        turned[s * targets + t] = byTarget[t * sources + s];
    return turned;
  };
  if (all.intoReals)
    keepNarrowest<float>(bySource(all.weights.real), weights);
  else
    keepNarrowest<int16_t>(bySource(all.weights.ints), weights);
  return true;
}

/// Sorts a row by target; equal ones keep their order. Most kinds have rows in
/// order already.
template <typename Weight>
static void sortRow(MutableArrayRef<uint32_t> target,
                    MutableArrayRef<Weight> weight) {
  if (llvm::is_sorted(target))
    return;
  std::vector<std::pair<uint32_t, Weight>> row;
  for (auto [t, w] : llvm::zip_equal(target, weight))
    row.push_back({t, w});
  llvm::stable_sort(row, llvm::less_first());
  for (size_t i = 0; i < row.size(); ++i)
    std::tie(target[i], weight[i]) = row[i];
}

template <typename Weight>
std::vector<Weight> Synapses::listed(const std::vector<Weight> &byIndex,
                                     const Connections &all) {
  begin.assign(all.sources + 1, 0);
  // A weight of zero adds nothing. To list twice takes less time than to keep
  // the list, which is larger than what is made of it.
  all.forEach([&](int64_t source, int64_t, int64_t weight) {
    begin[source + 1] += byIndex[weight] != 0;
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  target.resize(begin.back());
  std::vector<Weight> bySource(begin.back());
  std::vector<size_t> next = begin;
  all.forEach([&](int64_t source, int64_t to, int64_t weight) {
    if (byIndex[weight] == 0)
      return;
    const size_t place = next[source]++;
    target[place] = uint32_t(to);
    bySource[place] = byIndex[weight];
  });
  for (size_t s = 0; s + 1 < begin.size(); ++s) {
    const size_t size = begin[s + 1] - begin[s];
    MutableArrayRef<uint32_t> row(target.data() + begin[s], size);
    sortRow(row, MutableArrayRef<Weight>(bySource.data() + begin[s], size));
    distinct &= std::adjacent_find(row.begin(), row.end()) == row.end();
  }
  return bySource;
}

Synapses::Synapses(const Connections &all)
    : targets(size_t(all.targets)), shift(all.shift),
      productShift(all.productShift), intoReals(all.intoReals) {
  if (all.isDense && takeDense(all))
    return;
  if (intoReals)
    keepNarrowest<float>(listed(all.weights.real, all), weights);
  else
    keepNarrowest<int16_t>(listed(all.weights.ints, all), weights);
}

template <typename Weight>
void Synapses::sendReals(const PopulationValue &source,
                         const std::vector<Weight> &weights,
                         std::vector<double> &to) const {
  auto term = [](Weight weight, double x) { return double(weight) * x; };
  if (source.isReal())
    addRows(
        to, begin, target, weights, distinct,
        [&](size_t s) { return source.real[s]; }, term);
  else
    addRows(
        to, begin, target, weights, distinct,
        [&](size_t s) { return double(source.raw[s]); }, term);
}

template <typename Weight>
void Synapses::sendIntegers(const PopulationValue &source,
                            const std::vector<Weight> &weights,
                            std::vector<uint64_t> &to) const {
  const unsigned left = shift, right = productShift;
  auto raws = [&](size_t s) { return uint64_t(source.raw[s]); };
  if (right)
    return addRows(to, begin, target, weights, distinct, raws,
                   [right](Weight weight, uint64_t x) {
                     return uint64_t(int64_t(int16_t(
                         int64_t(uint64_t(int64_t(weight)) * x) >> right)));
                   });
  if (left >= 64) // nothing is left of a sum
    return;
  uint64_t bits = 0;
  for (size_t s = 0; s + 1 < begin.size(); ++s)
    bits |= raws(s);
  // Spikes need no product of 64 bits, which few processors make in vectors;
  // eight weights of 16 bits have a sum of 32.
  using Unit = std::conditional_t<sizeof(Weight) == 2, int32_t, uint64_t>;
  if (bits <= 1)
    return addRows(
        to, begin, target, weights, distinct, raws,
        [](Weight weight, uint64_t) { return Unit(weight); }, left);
  addRows(
      to, begin, target, weights, distinct, raws,
      [](Weight weight, uint64_t x) { return uint64_t(int64_t(weight)) * x; },
      left);
}

void Synapses::send(const PopulationValue &source, Arrivals &to) const {
  to.real.resize(intoReals ? targets : 0);
  to.raw.resize(intoReals ? 0 : targets);
  std::visit(
      [&](const auto &its) {
        using Weight = typename std::decay_t<decltype(its)>::value_type;
        if constexpr (std::is_floating_point_v<Weight>)
          sendReals(source, its, to.real);
        else
          sendIntegers(source, its, to.raw);
      },
      weights);
}

} // namespace dendrolith::dend::fast
