// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy of a result, which any cost table of its chip can price again, and
// what follows from it.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_PRICING_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_PRICING_H

#include "simulator/energy/Energy.h"
#include "targets/loader/Target.h"
#include "targets/support/Warning.h"

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

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_PRICING_H
