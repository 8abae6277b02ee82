// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The warnings of a result, for people.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_WARNINGTEXT_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_WARNINGTEXT_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

/// All of them, a line each under a heading with their number, to stand beside
/// the score; empty if there is none.
std::string formatWarnings(const nlohmann::ordered_json &result);

/// One line for the end, with their number and codes; empty if there is none.
std::string countWarnings(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_WARNINGTEXT_H
