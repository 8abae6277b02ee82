// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a step takes as long as it does: who ended how many, as simulated.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_SLOWSTEPS_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_SLOWSTEPS_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

/// "Slowest: core 73 (9 of 'lif2', receiving) ended 30 % of the steps; ...".
/// Empty without a clock.
std::string slowestLine(const nlohmann::ordered_json &result);

/// The line, a row for each core, link or barrier that ended many steps, with
/// what it holds and what the mapper had predicted, and what a mapping and a
/// faster chip can change.
std::string formatSlowSteps(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_SLOWSTEPS_H
