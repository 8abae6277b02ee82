// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy of parts of a run, such as layers and samples, where a whole bill
// (Energy.h) would say for each part what is the same for all: prices, sources,
// and what is unpriced.

#ifndef DENDROLITH_SIMULATOR_ENERGY_PRICER_H
#define DENDROLITH_SIMULATOR_ENERGY_PRICER_H

#include "simulator/events/Counts.h"
#include "targets/loader/price/CostTable.h"

#include <optional>
#include <utility>
#include <vector>

namespace dendrolith::sim {

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

#endif // DENDROLITH_SIMULATOR_ENERGY_PRICER_H
