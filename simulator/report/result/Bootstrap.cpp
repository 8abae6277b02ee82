// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Bootstrap.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace dendrolith::sim {

std::optional<Interval> bootstrapInterval(
    size_t samples,
    const std::function<double(const std::vector<size_t> &drawn)> &figure,
    double confidence) {
  constexpr size_t kResamples = 1000;
  if (samples < 2)
    return std::nullopt;
  // The engine's numbers are fixed by the C++ standard, those of its
  // distributions are not.
  std::mt19937_64 random(1);
  std::vector<double> figures;
  std::vector<size_t> drawn(samples);
  for (size_t i = 0; i < kResamples; ++i) {
    for (size_t &sample : drawn)
      sample =
          size_t((static_cast<unsigned __int128>(random()) * samples) >> 64);
    double found = figure(drawn);
    if (!std::isnan(found))
      figures.push_back(found);
  }
  if (figures.empty())
    return std::nullopt;
  std::sort(figures.begin(), figures.end());
  const double tail = (1 - std::clamp(confidence, 0.0, 1.0)) / 2;
  const size_t cut =
      std::min(size_t(tail * double(figures.size())), (figures.size() - 1) / 2);
  return Interval{figures[cut], figures[figures.size() - 1 - cut]};
}

std::optional<Interval> bootstrapInterval(const std::vector<double> &values,
                                          double confidence) {
  return bootstrapInterval(
      values.size(),
      [&](const std::vector<size_t> &drawn) {
        // Differences to the first value keep equal values equal in the mean.
        double sum = 0;
        for (size_t sample : drawn)
          sum += values[sample] - values[0];
        return values[0] + sum / double(values.size());
      },
      confidence);
}

Interval wilsonInterval(uint64_t hits, uint64_t of) {
  const double z = 1.959963984540054; // of 0.95, both sides
  const double n = double(of), share = double(hits) / n, zz = z * z / n;
  const double middle = (share + zz / 2) / (1 + zz);
  const double half =
      z * std::sqrt(share * (1 - share) / n + zz / (4 * n)) / (1 + zz);
  // Where all or none are hits, one end is exactly that.
  return {hits == 0 ? 0 : std::max(0.0, middle - half),
          hits == of ? 1 : std::min(1.0, middle + half)};
}

} // namespace dendrolith::sim

namespace dendrolith::report {

double percentileOf(const std::vector<double> &rising, size_t percent) {
  return rising[(percent * rising.size() + 99) / 100 - 1];
}

nlohmann::ordered_json spreadOf(std::vector<double> values) {
  if (values.empty())
    return nullptr;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) /
                      double(values.size());
  std::sort(values.begin(), values.end());
  nlohmann::ordered_json range;
  if (const auto interval = sim::bootstrapInterval(values))
    range = {{"low", interval->low}, {"high", interval->high}};
  return {{"mean", mean},
          {"p50", percentileOf(values, 50)},
          {"p95", percentileOf(values, 95)},
          {"min", values.front()},
          {"max", values.back()},
          {"interval", range}};
}

} // namespace dendrolith::report
