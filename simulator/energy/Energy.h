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

// The energy of parts of a run, such as layers and samples, without a whole
// bill (Energy.h) for each: prices, sources and what is unpriced are the same
// for all.

/// Counts times prices, added up as the decimal numbers that they are. In
/// binary 3 x 0.1 pJ is 0.30000000000000004 pJ, and the energies of layers add
/// up to the total but for the last digits; here they add up to the last digit.
class ExactSum {
public:
  /// Adds `count` times `price`. It is exact for prices of at most nine digits
  /// behind the point and 15 in all, and as exact as floating point for others.
  void add(uint64_t count, double price);

  /// The double next to the sum.
  double value() const;

private:
  __extension__ typedef __int128 Wide;
  Wide units = 0; // each 10^-9
  double rest = 0;
};

class Pricer {
public:
  explicit Pricer(const CostTable &table) {
    for (Counter event : energyEvents()) {
      const Price *price = table.find(counterName(event));
      prices.emplace_back(event, price ? *price : Price());
    }
  }

  /// Returns the energy of all events in pJ, as price() does: energies of parts
  /// add up to that of the whole. There is none where only events happened that
  /// have no price.
  std::optional<double> energy(const CoreCounts &counts) const;

private:
  std::vector<std::pair<Counter, Price>> prices;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_ENERGY_ENERGY_H
