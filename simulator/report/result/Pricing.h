// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy of a result, which any cost table of its chip can price again, and
// what follows from it.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_PRICING_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_PRICING_H

#include "simulator/energy/Energy.h"
#include "simulator/events/Counts.h"
#include "targets/loader/Target.h"
#include "targets/loader/price/CostTable.h"
#include "targets/support/Error.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::report {

/// Returns the table of that name. Without a name these are the target's own:
/// the low and the high end of a band where the chip's prices are not known.
std::vector<CostTable> chooseCosts(const std::string &name,
                                   const Target &target);

/// Adds (or replaces) `costs` and `energy`, each with a `low` and a `high` end,
/// which are the same where there is one table. `timePs` is the simulated time,
/// 0 where there is none. Returns the bills as text.
std::string addEnergy(nlohmann::ordered_json &result, const sim::Counts &counts,
                      const std::vector<CostTable> &tables, uint64_t timePs);

/// Adds (or replaces) the energy of layers, flows and samples, and how that of
/// samples is spread, where they were counted. `tables` is tables.json, null
/// where it is missing; `where` is the place of both in messages. It follows
/// addEnergy().
void addPartEnergy(nlohmann::ordered_json &result,
                   nlohmann::ordered_json &tables,
                   const std::vector<CostTable> &costs,
                   const std::string &where);

/// Warns where prices are of another family than the times with which static
/// power is multiplied.
std::optional<Warning> otherFamily(const std::vector<CostTable> &tables,
                                   const TimingSet &timing, uint64_t timePs);

/// Puts a warning in place of those of its code, or removes them.
void replaceWarning(nlohmann::ordered_json &result, const std::string &code,
                    const std::optional<Warning> &warning);

// What each sample caused: one column for each event, and their energy.

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

// What each layer of the network caused: its counts, its energy, and the flows
// of messages between layers. All rows together are the counts of the run, and
// their energies its energy, to the last digit.

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

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_PRICING_H
