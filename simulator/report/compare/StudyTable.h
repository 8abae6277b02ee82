// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many results in one table, a row for each: networks by chips by prices.

#ifndef DENDROLITH_SIMULATOR_REPORT_COMPARE_STUDYTABLE_H
#define DENDROLITH_SIMULATOR_REPORT_COMPARE_STUDYTABLE_H

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dendrolith::report {

/// The table of results whose `summary` and `costs` are filled. `format` is
/// "table" for people, "csv" with units in the head and a number in each cell,
/// or "latex", a tabular. What is not known is an empty cell.
std::string formatStudy(const std::vector<nlohmann::ordered_json> &results,
                        const std::string &format);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_COMPARE_STUDYTABLE_H
