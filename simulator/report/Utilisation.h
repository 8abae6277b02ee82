// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long samples took, how busy cores and links were, and which of them ended
// each step.

#ifndef DENDROLITH_SIMULATOR_REPORT_UTILISATION_H
#define DENDROLITH_SIMULATOR_REPORT_UTILISATION_H

#include "simulator/report/Result.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith::report {

/// How many steps were ended by whom ("core 3 receive").
std::map<std::string, uint64_t>
closersOf(const std::vector<std::vector<sim::StepTime>> &stepTimes);

/// Adds `times`, `latency` and `utilisation`, which runs of the cycle engine
/// have.
void addTimes(Result &result, const sim::RunResult &run);

/// One line with the busiest core and link, and what ended most steps. Empty
/// where there is no `utilisation`.
std::string formatUtilisation(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_UTILISATION_H
