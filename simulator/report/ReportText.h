// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints result.json for people: `run` and `report` print the same text.

#ifndef NEURITE_SIMULATOR_REPORT_REPORTTEXT_H
#define NEURITE_SIMULATOR_REPORT_REPORTTEXT_H

#include <nlohmann/json.hpp>

#include <string>

namespace neurite::report {

/// Prints schedule, mapping, fit and quantisation tables, rewrites and
/// policies.
std::string formatProgramFacts(const nlohmann::ordered_json &facts);

/// Prints accuracy, counts, latency and NeuroBench fields, and then the
/// energy's bill, which is `energyText`.
std::string formatResult(const nlohmann::ordered_json &result,
                         const std::string &energyText);

} // namespace neurite::report

#endif // NEURITE_SIMULATOR_REPORT_REPORTTEXT_H
