// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be measured on a chip, and in which units.

#ifndef DENDROLITH_TARGETS_LOADER_SILICON_QUANTITIES_H
#define DENDROLITH_TARGETS_LOADER_SILICON_QUANTITIES_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::silicon {

enum class Quantity : uint8_t {
  Counter,     ///< events of a core in a step
  TimeStep,    ///< ns
  EnergyStep,  ///< pJ, dynamic
  PowerStatic, ///< mW
  Cores,       ///< that hold the network
  Other        ///< what is listed and never compared
};

struct QuantityRow {
  const char *name;
  Quantity quantity;
  /// Names, and what one is in the unit of the quantity.
  std::vector<std::pair<std::string, double>> units;

  std::vector<std::string> unitNames() const;
  double scaleOf(const std::string &unit) const;
};

/// "counter", "time_step", ..., "other".
const char *toString(Quantity quantity);

std::vector<std::string> quantityNames();
/// One of quantityNames().
const QuantityRow &quantityOf(const std::string &name);

} // namespace dendrolith::silicon

#endif // DENDROLITH_TARGETS_LOADER_SILICON_QUANTITIES_H
