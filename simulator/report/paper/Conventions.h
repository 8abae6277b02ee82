// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run priced by each published convention (targets/conventions), beside
// the energy that was counted on the chip.

#ifndef DENDROLITH_SIMULATOR_REPORT_PAPER_CONVENTIONS_H
#define DENDROLITH_SIMULATOR_REPORT_PAPER_CONVENTIONS_H

#include "targets/loader/price/Convention.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace dendrolith::report {

/// Returns a row {name, description, node, per_sample_pJ, chip_over, network,
/// break_even, reason, terms, leaves_out, sources} for each convention.
/// `result` is priced and has its summary; `flows` are those of tables.json, or
/// null. Where a run has no such counts, per_sample_pJ is null and `reason`
/// says why. `break_even` of the same layers as a conventional network has the
/// `activity` and the `steps` at which the chip costs as much, in parts of this
/// run's, and what it spends in every step (`quiet_pJ`) and by what fires
/// (`firing_pJ`).
nlohmann::ordered_json
conventionRows(const nlohmann::ordered_json &result,
               const nlohmann::ordered_json &flows,
               const std::vector<Convention> &conventions);

/// The rows as a table with the chip's own energy, and what each leaves out.
std::string formatConventions(const nlohmann::ordered_json &result,
                              const nlohmann::ordered_json &rows);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_PAPER_CONVENTIONS_H
