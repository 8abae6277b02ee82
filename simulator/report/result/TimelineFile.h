// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a run of the cycle engine as trace events, for Perfetto
// (ui.perfetto.dev) or chrome://tracing. Processes are the chip (steps, mesh,
// barriers), the host and each tile, with two tracks for each core: its update
// engine with the stalls inside, and its receive engine. Times are
// microseconds.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_TIMELINEFILE_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_TIMELINEFILE_H

#include "simulator/result/RunResult.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace dendrolith::report {

/// A file has at most so many rows of about 140 bytes.
constexpr uint64_t kTimelineRows = 20000;

/// The JSON text, which is the same for the same run. `result` says what cores
/// hold.
std::string timelineText(const sim::Timeline &timeline,
                         const nlohmann::ordered_json &result);

/// One line for people that says which steps the timeline shows.
std::string timelineSummary(const sim::Timeline &timeline);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_TIMELINEFILE_H
