// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why two results differ: what was asked differently, what was counted
// differently, and which counts and prices make the difference in energy.

#ifndef DENDROLITH_SIMULATOR_REPORT_COMPARE_DIFFERENCE_H
#define DENDROLITH_SIMULATOR_REPORT_COMPARE_DIFFERENCE_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

/// Prints the differences of two results with their `summary`, per sample. The
/// energy of an event changes by its count, at the first result's price, and by
/// its price, at the second's count; both add up to the whole difference.
std::string formatDifference(const nlohmann::ordered_json &a,
                             const nlohmann::ordered_json &b);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_COMPARE_DIFFERENCE_H
