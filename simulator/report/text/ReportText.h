// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints result.json for people: `run` and `report` print the same text.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_REPORTTEXT_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_REPORTTEXT_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

/// Prints schedule, mapping, fit and quantisation tables, rewrites and
/// policies.
std::string formatProgramFacts(const nlohmann::ordered_json &facts);

/// Prints accuracy, counts, latency and NeuroBench fields, and then the
/// energy's bill, which is `energyText`.
std::string formatResult(const nlohmann::ordered_json &result,
                         const std::string &energyText);

// Prints the rewrites that a program was compiled with.

/// A table, and below it a line for each rewrite that says what was done and
/// what was verified. Takes program facts or a whole result; empty if there are
/// no `rewrites`.
std::string formatRewrites(const nlohmann::ordered_json &facts);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_REPORTTEXT_H
