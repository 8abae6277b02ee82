// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// result.json as text for people: `run` and `report` print the same.

#ifndef NEURITE_SIMULATOR_REPORT_REPORTTEXT_H
#define NEURITE_SIMULATOR_REPORT_REPORTTEXT_H

#include <nlohmann/json.hpp>

#include <string>

namespace neurite::report {

/// Schedule, mapping, fit and quantisation tables, rewrites and policies.
std::string formatProgramFacts(const nlohmann::ordered_json &facts);

/// Accuracy, counts, latency and NeuroBench fields; the energy's bill is
/// `energyText`.
std::string formatResult(const nlohmann::ordered_json &result,
                         const std::string &energyText);

} // namespace neurite::report

#endif // NEURITE_SIMULATOR_REPORT_REPORTTEXT_H
