// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why two results differ: what was asked differently, what was counted
// differently, and which counts and prices make the difference in energy.

#ifndef DENDROLITH_SIMULATOR_REPORT_COMPARE_DIFFERENCE_H
#define DENDROLITH_SIMULATOR_REPORT_COMPARE_DIFFERENCE_H

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dendrolith::report {

/// Prints the differences of two results with their `summary`, per sample. The
/// energy of an event changes by its count, at the first result's price, and by
/// its price, at the second's count; both add up to the whole difference.
std::string formatDifference(const nlohmann::ordered_json &a,
                             const nlohmann::ordered_json &b);

/// Each value that is not the same in both, by the names on the way to it.
std::vector<std::string> differentValues(const nlohmann::ordered_json &was,
                                         const nlohmann::ordered_json &is);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_COMPARE_DIFFERENCE_H
