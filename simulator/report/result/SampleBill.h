// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each sample caused: one column for each event, and their energy.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_SAMPLEBILL_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_SAMPLEBILL_H

#include "simulator/events/Counts.h"
#include "targets/loader/price/CostTable.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dendrolith::report {

/// Returns {event: [count of sample 0, 1, ...]} of the energy events that
/// happened in some sample. Resets are between samples and not among them.
nlohmann::ordered_json
sampleCounts(const std::vector<sim::CoreCounts> &samples);

/// Returns {low: [...], high: [...]} in pJ, by the ends of `tables`, or by the
/// only one, for what sampleCounts() gave; null for a sample in which nothing
/// that happened has a price. With the energy of resets, which
/// belong to no sample, each column adds up to the energy of the run.
nlohmann::ordered_json priceSamples(const nlohmann::ordered_json &counts,
                                    uint64_t samples,
                                    const std::vector<CostTable> &tables,
                                    const std::string &where);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_SAMPLEBILL_H
