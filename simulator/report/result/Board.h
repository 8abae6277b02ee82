// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a result says of a board of several chips.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_BOARD_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_BOARD_H

#include "simulator/result/RunResult.h"
#include "targets/loader/Target.h"

#include <nlohmann/json_fwd.hpp>

namespace dendrolith::report {

/// Adds `board`: which chips a run used, and what went over the links from one
/// to the next. A chip that stands alone gets no such member.
void addBoard(nlohmann::ordered_json &result, const Target &target,
              const TimingSet &timing, const sim::RunResult &run);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_BOARD_H
