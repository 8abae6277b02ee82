// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/energy/Pricer.h"

#include <cmath>

namespace dendrolith::sim {

constexpr int64_t kUnits = 1'000'000'000;

void ExactSum::add(uint64_t count, double price) {
  // The fewest digits of which the price is the next double are those with
  // which it was written.
  int64_t power = 1;
  for (; power <= kUnits; power *= 10) {
    const double digits = std::nearbyint(price * double(power));
    if (std::fabs(digits) >= 1e15)
      break;
    if (digits / double(power) != price)
      continue;
    Wide more, sum;
    if (__builtin_mul_overflow(static_cast<Wide>(count),
                               static_cast<Wide>(digits) * (kUnits / power),
                               &more) ||
        __builtin_add_overflow(units, more, &sum))
      break;
    units = sum;
    return;
  }
  rest += static_cast<double>(count) * price;
}

double ExactSum::value() const {
  return static_cast<double>(units / kUnits) +
         static_cast<double>(static_cast<int64_t>(units % kUnits)) /
             double(kUnits) +
         rest;
}

std::optional<double> Pricer::energy(const CoreCounts &counts) const {
  ExactSum sum;
  bool known = false, unknown = false;
  for (const auto &[event, price] : prices) {
    if (counts[event] == 0)
      continue;
    (price.form == Price::Decision::Unpriced ? unknown : known) = true;
    if (price.form == Price::Decision::Priced)
      sum.add(counts[event], price.value);
  }
  if (unknown && !known)
    return std::nullopt;
  return sum.value();
}

} // namespace dendrolith::sim
