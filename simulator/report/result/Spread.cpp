// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Spread.h"

#include "simulator/report/result/Bootstrap.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

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
