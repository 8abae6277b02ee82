// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the mean of a few samples may be from that of all samples there are,
// without an assumption on how values are distributed: the percentile bootstrap
// (B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap, 1993,
// section 13.3).

#ifndef NEURITE_SIMULATOR_REPORT_BOOTSTRAP_H
#define NEURITE_SIMULATOR_REPORT_BOOTSTRAP_H

#include <optional>
#include <vector>

namespace neurite::sim {

struct Interval {
  double low = 0, high = 0;
};

/// The interval that holds the mean of what `values` are a sample of, with the
/// given confidence (such as 0.95). It is found by drawing as many of the
/// values, with replacement, 1,000 times, always in the same way, so that the
/// same values have the same interval on every machine. Fewer than two values
/// say nothing about others, and have none.
std::optional<Interval> bootstrapInterval(const std::vector<double> &values,
                                          double confidence = 0.95);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_REPORT_BOOTSTRAP_H
