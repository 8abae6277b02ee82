// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run in ten lines: what was asked, whether to believe it, and where the rest
// is. ReportText has it all.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_SHORTTEXT_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_SHORTTEXT_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

/// Prints model, chip and its changes, score, energy, latency, fit, saturations
/// and warnings of a result of any engine.
std::string formatShort(const nlohmann::ordered_json &result);

// The warnings of a result, for people.

/// All of them, a line each under a heading with their number, to stand beside
/// the score; empty if there is none.
std::string formatWarnings(const nlohmann::ordered_json &result);

/// One line for the end, with their number and codes; empty if there is none.
std::string countWarnings(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_SHORTTEXT_H
