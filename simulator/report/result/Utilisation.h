// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long samples took, how busy cores and links were, and which of them ended
// each step.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_UTILISATION_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_UTILISATION_H

#include "simulator/report/result/Result.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith::report {

/// What a link between two tiles is called in tables and texts; from a tile to
/// itself it is the port to the cores of the tile.
std::string nameOfLink(uint32_t from, uint32_t to);

/// How many steps were ended by whom ("core 3 receive").
std::map<std::string, uint64_t>
closersOf(const std::vector<std::vector<sim::StepTime>> &stepTimes);

/// Adds `times`, `latency` and `utilisation`, which runs of the cycle engine
/// have.
void addTimes(Result &result, const sim::RunResult &run);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_UTILISATION_H
