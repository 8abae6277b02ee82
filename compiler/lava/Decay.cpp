// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lava/Decay.h"

#include <cmath>

namespace dendrolith::lava {

Decay proveDecay(double delta) {
  __extension__ using Wide = __int128;
  constexpr int64_t most = int64_t(1) << 23;
  constexpr int shift = 12 + kDecayFraction;
  const double k = 4096 - (delta * 4096 + 1);
  // Signs change neither the product's magnitude nor its two cuts, so
  // magnitudes suffice.
  const double magnitude = std::fabs(k);
  int64_t low = 0, high = (int64_t(1) << shift) - 1;
  for (int64_t i = 1; i <= most; ++i) {
    // The condition on A is wanted 2^58 <= i A < (wanted + 1) 2^58.
    Wide wanted = int64_t(double(i) * magnitude) >> 12;
    Wide least = wanted << shift, beyond = (wanted + 1) << shift;
    if (Wide(i) * low < least)
      low = int64_t((least + i - 1) / i);
    if (Wide(i) * high >= beyond)
      high = int64_t((beyond - 1) / i);
    if (low > high)
      return {std::nullopt, i};
  }
  // The roundest number is taken: low bits of `high` are cleared while it stays
  // in the interval.
  int64_t best = high;
  for (int64_t unit = 2; unit <= high && best / unit * unit >= low; unit *= 2)
    best = best / unit * unit;
  return {k < 0 ? -best : best, 0};
}

std::optional<double> decayWith(int64_t high, int64_t low) {
  // A constant that serves one decay determines it no better than this.
  constexpr double near = 0x1p-24;
  double k = std::ldexp(double(high), kDecayLow - kDecayFraction) +
             std::ldexp(double(low), -kDecayFraction);
  double whole = (4095 - k) / 4096;
  auto fits = [&](double delta) {
    if (delta < 0 || delta > 1 || std::fabs(delta - whole) > near)
      return false;
    Decay decay = proveDecay(delta);
    return decay.constant && decay.high() == high && decay.low() == low;
  };
  for (double unit = 1; unit < 1e10; unit *= 10)
    if (double delta = std::round(whole * unit) / unit; fits(delta))
      return delta;
  return fits(whole) ? std::optional(whole) : std::nullopt;
}

} // namespace dendrolith::lava
