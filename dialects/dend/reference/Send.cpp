// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a source's value adds to the sums of its targets.

#include "dialects/dend/reference/AddRows.h"
#include "dialects/dend/reference/Synapses.h"

#include <type_traits>

namespace dendrolith::dend {

template <typename Weight>
void Synapses::sendReals(const Lanes &source,
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
void Synapses::sendIntegers(const Lanes &source,
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

void Synapses::send(const Lanes &source, Arrivals &to) const {
  to.real.resize(realPort ? targets : 0);
  to.raw.resize(realPort ? 0 : targets);
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

} // namespace dendrolith::dend
