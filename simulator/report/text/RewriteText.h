// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the rewrites that a program was compiled with.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_REWRITETEXT_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_REWRITETEXT_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

/// A table, and below it a line for each rewrite that says what was done and
/// what was verified. Takes program facts or a whole result; empty if there are
/// no `rewrites`.
std::string formatRewrites(const nlohmann::ordered_json &facts);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_REWRITETEXT_H
