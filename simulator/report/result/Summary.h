// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people compare of a result: its score, and the energy and latency of one
// sample.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_SUMMARY_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_SUMMARY_H

#include <nlohmann/json_fwd.hpp>

namespace dendrolith::report {

/// Adds (or replaces) `summary`, from what the result has: call it last.
void addSummary(nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_SUMMARY_H
