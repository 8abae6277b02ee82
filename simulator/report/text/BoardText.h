// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what a run did on a board of several chips.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_BOARDTEXT_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_BOARDTEXT_H

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

/// Tables of the chips in use and of the links from one to the next; empty
/// where the chip stands alone.
std::string formatBoard(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_BOARDTEXT_H
