// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy of parts of a run, such as layers and samples, without a whole
// bill (Energy.h) for each: prices, sources and what is unpriced are the same
// for all.

#ifndef DENDROLITH_SIMULATOR_ENERGY_PRICER_H
#define DENDROLITH_SIMULATOR_ENERGY_PRICER_H

#include "simulator/events/Counts.h"
#include "targets/loader/price/CostTable.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dendrolith::sim {

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

#endif // DENDROLITH_SIMULATOR_ENERGY_PRICER_H
