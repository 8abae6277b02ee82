// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells of CSV, as spreadsheets read them.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_CSVTEXT_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_CSVTEXT_H

#include <string>

namespace dendrolith::report {

/// A cell by RFC 4180: one with a comma, quote or line's end stands in quotes.
/// What a spreadsheet would take for a formula gets a ' in front, which makes
/// it a text; a number stays a number.
std::string csvCell(const std::string &text);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_CSVTEXT_H
