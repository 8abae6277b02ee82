// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a figure of a few samples may be from that of all samples there are.
// For a mean, or any figure without an assumption on how values are
// distributed, it is the percentile bootstrap (B. Efron, R. J. Tibshirani, An
// Introduction to the Bootstrap, 1993, section 13.3); for a share of samples,
// the score interval (E. B. Wilson, Probable Inference, the Law of Succession,
// and Statistical Inference, JASA 22, 1927).

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_BOOTSTRAP_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_BOOTSTRAP_H

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace dendrolith::sim {

struct Interval {
  double low = 0, high = 0;
};

/// The interval that holds the mean of what `values` are a sample of, with the
/// given confidence (such as 0.95). As many of the values are drawn 1,000
/// times, with replacement. They are drawn in the same way each time, so that
/// equal values have the same interval on every machine. Fewer than two values
/// say nothing about others, and have none.
std::optional<Interval> bootstrapInterval(const std::vector<double> &values,
                                          double confidence = 0.95);

/// The interval of another figure, which `figure` computes from the numbers of
/// the samples drawn, out of `samples`. A draw without a figure (NaN) is left
/// out.
std::optional<Interval> bootstrapInterval(
    size_t samples,
    const std::function<double(const std::vector<size_t> &drawn)> &figure,
    double confidence = 0.95);

/// The interval of a share, `hits` of `of` samples (at least 1), with a
/// confidence of 0.95.
Interval wilsonInterval(uint64_t hits, uint64_t of);

} // namespace dendrolith::sim

namespace dendrolith::report {

// How values of samples are spread: what a mean alone hides.

/// Returns the least of the values that so many per cent of them do not exceed
/// (nearest rank), so that it is always one of them. They rise; there is one at
/// least.
double percentileOf(const std::vector<double> &rising, size_t percent);

/// Returns {mean, p50, p95, min, max, interval}, null without values. The
/// interval is that of the mean (bootstrapInterval()), {low, high} with a
/// confidence of 0.95; null for a single value.
nlohmann::ordered_json spreadOf(std::vector<double> values);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_BOOTSTRAP_H
