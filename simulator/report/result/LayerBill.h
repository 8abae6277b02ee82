// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each layer of the network caused: its counts, its energy, and the flows
// of messages between layers. All rows together are the counts of the run, and
// their energies its energy, to the last digit.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_LAYERBILL_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_LAYERBILL_H

#include "simulator/events/Attribution.h"
#include "targets/loader/price/CostTable.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace dendrolith::report {

/// Adds `kind` and `counts` to `layers`, the rows of a program's layers, and
/// rows of inputs and of the chip. A kind is "population", "input", or "chip"
/// for what no layer causes.
void addLayerCounts(nlohmann::ordered_json &layers,
                    const sim::Attribution &attribution);

/// Returns rows {source, target, to, counts}; `to` is "population", or where
/// `target` is null "host" or "several".
nlohmann::ordered_json flowRows(const sim::Attribution &attribution);

/// Sets `energy_pJ` of each row with counts, which layers and flows are, to
/// {low, high} by the ends of `tables`, or by the only one; null where nothing
/// that happened has a price. `where` is the place of the rows.
void priceRows(nlohmann::ordered_json &rows,
               const std::vector<CostTable> &tables, const std::string &where);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_LAYERBILL_H
