// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a result as a list of names with values, to be compared with those
// of another.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_NAMEDVALUES_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_NAMEDVALUES_H

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace dendrolith::report {

using NamedValues = std::vector<std::pair<std::string, nlohmann::ordered_json>>;

/// Adds everything below a value, with a dot between the names of levels.
void flatten(const nlohmann::ordered_json &value, const std::string &name,
             NamedValues &into);

/// What a person chose for a result, and what follows from it before anything
/// runs: model, chip, prices, samples, mapping, choices, bits of weights.
NamedValues configurationOf(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_NAMEDVALUES_H
