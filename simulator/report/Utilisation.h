// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How busy cores and links were, and who closed each step.

#ifndef NEURITE_SIMULATOR_REPORT_UTILISATION_H
#define NEURITE_SIMULATOR_REPORT_UTILISATION_H

#include "simulator/Run.h"

#include <nlohmann/json.hpp>

#include <string>

namespace neurite::report {

/// Adds `utilisation` (cores, links) and to `latency` its `closed_by` and
/// `steps`, of runs of the cycle engine.
void addUtilisation(nlohmann::ordered_json &result, const sim::RunResult &run);

/// The busiest core and link and the most frequent closer in one line; empty
/// where there is no `utilisation`.
std::string formatUtilisation(const nlohmann::ordered_json &result);

} // namespace neurite::report

#endif // NEURITE_SIMULATOR_REPORT_UTILISATION_H
