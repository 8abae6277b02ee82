// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/Bootstrap.h"

#include <algorithm>
#include <cstdint>
#include <random>

namespace neurite::sim {

std::optional<Interval> bootstrapInterval(const std::vector<double> &values,
                                          double confidence) {
  constexpr size_t kResamples = 1000;
  const size_t n = values.size();
  if (n < 2)
    return std::nullopt;
  // The engine's numbers are fixed by the C++ standard, those of its
  // distributions are not.
  std::mt19937_64 random(1);
  auto draw = [&] {
    return size_t((static_cast<unsigned __int128>(random()) * n) >> 64);
  };
  std::vector<double> means;
  for (size_t i = 0; i < kResamples; ++i) {
    // Differences to the first value keep equal values equal in the mean.
    double sum = 0;
    for (size_t k = 0; k < n; ++k)
      sum += values[draw()] - values[0];
    means.push_back(values[0] + sum / double(n));
  }
  std::sort(means.begin(), means.end());
  const double tail = (1 - std::clamp(confidence, 0.0, 1.0)) / 2;
  const size_t cut =
      std::min(size_t(tail * double(kResamples)), (kResamples - 1) / 2);
  return Interval{means[cut], means[kResamples - 1 - cut]};
}

} // namespace neurite::sim
