// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How values of samples are spread: what a mean alone hides.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_SPREAD_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_SPREAD_H

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace dendrolith::report {

/// Returns the least of the values that so many per cent of them do not exceed
/// (nearest rank), so that it is always one of them. They rise; there is one at
/// least.
double percentileOf(const std::vector<double> &rising, size_t percent);

/// Returns {mean, p50, p95, min, max, interval}, null without values. The
/// interval is that of the mean (bootstrapInterval()), {low, high} with a
/// confidence of 0.95; null for a single value.
nlohmann::ordered_json spreadOf(std::vector<double> values);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_SPREAD_H
