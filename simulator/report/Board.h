// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a result says of a board of several chips.

#ifndef DENDROLITH_SIMULATOR_REPORT_BOARD_H
#define DENDROLITH_SIMULATOR_REPORT_BOARD_H

#include "simulator/RunResult.h"
#include "targets/loader/Target.h"

#include <nlohmann/json.hpp>

#include <string>

namespace dendrolith::report {

/// Adds which chips a run used, and what went over the links from one to the
/// next; beside that what the program's fit table, where it is in the result,
/// says of these edges. A chip that stands alone gets no such member.
void addBoard(nlohmann::ordered_json &result, const Target &target,
              const TimingSet &timing, const sim::RunResult &run);

/// The same as text; empty without a board.
std::string formatBoard(const nlohmann::ordered_json &result);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_BOARD_H
