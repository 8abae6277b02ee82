// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a run of the cycle engine as trace events, for Perfetto
// (ui.perfetto.dev) or chrome://tracing: there is one track for barriers, one
// for the mesh, and two for each core (its update engine with the stalls
// inside, and its receive engine). Times are microseconds.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_TIMELINEFILE_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_TIMELINEFILE_H

#include "simulator/result/RunResult.h"

#include <string>

namespace dendrolith::report {

/// A file has at most so many slices, of about 90 bytes each.
constexpr uint64_t kTimelineEvents = 500000;

/// The JSON text, which is the same for the same run. A timeline that was
/// stopped by its bound says so, in the text and to the viewer.
std::string timelineText(const sim::Timeline &timeline);

/// One line for people that says what the timeline covers.
std::string timelineSummary(const sim::Timeline &timeline);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_TIMELINEFILE_H
