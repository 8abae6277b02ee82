// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy of a run: counts times prices. One stored run can be priced by
// many tables.

#ifndef DENDROLITH_SIMULATOR_ENERGY_ENERGY_H
#define DENDROLITH_SIMULATOR_ENERGY_ENERGY_H

#include "simulator/events/Counts.h"
#include "targets/loader/price/CostTable.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::sim {

/// A row of the bill, for one event.
struct EventEnergy {
  std::string event; // its name, such as "synops.dense"
  uint64_t count = 0;
  Price price;       // in pJ per event, or why there is none
  double energy = 0; // in pJ; 0 where there is no price
};

/// The energy of a run under one table, in pJ.
struct Energy {
  std::vector<EventEnergy> events; // in the order of allEvents()
  double total = 0;                // of events, without static energy
  /// How the total stands to the truth: "=" if all contributing prices are
  /// typical values, ">=" if some are published minima or missing, "<=" if some
  /// are maxima, "~" if both occur.
  std::string bound = "=";
  /// Events that happened and have no price, so that the total lacks them.
  std::vector<std::string> unpriced;
  /// Whether the total says anything: not where no event that happened has a
  /// price.
  bool isPriced() const;
  /// Static power times simulated time; absent without a time or a static
  /// power.
  std::optional<double> staticEnergy;
  std::optional<StaticPower> staticPower; // of one chip
  uint64_t chips = 1;                     // that draw it
  std::string costs;                      // name of the table
  /// Citations behind the source keys that the bill uses, sorted by key.
  std::vector<std::pair<std::string, std::string>> sources;
};

/// Prices `counts` (their total). `timePs` is the simulated time, 0 = unknown.
/// Throws Error when the table names an event that is not counted.
Energy price(const Counts &counts, const CostTable &table, uint64_t timePs);

/// The object {costs, total_pJ, bound, by_event: {name: {count, price_pJ,
/// energy_pJ, kind, bound, source} or {count, in, kind, source} or {count,
/// unpriced}}, static_pJ, unpriced, sources}.
nlohmann::ordered_json toJson(const Energy &energy);

/// The bill as text: event, count, price, energy, kind, source; events that
/// did not happen are left out. Ends with a newline.
std::string formatEnergy(const Energy &energy);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_ENERGY_ENERGY_H
