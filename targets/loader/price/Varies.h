// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices that depend on the structure of the chip at hand: `varies` of a cost
// table. targets/costs.md explains the keys.

#ifndef DENDROLITH_TARGETS_LOADER_PRICE_VARIES_H
#define DENDROLITH_TARGETS_LOADER_PRICE_VARIES_H

#include "targets/loader/chip/Chip.h"
#include "targets/loader/yaml/RecordReader.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// A quantity by which a price may be scaled, with its unit.
struct StructureName {
  const char *name, *unit;
};
const std::vector<StructureName> &structureNames();

/// The quantity of that name, a whole number, so that the chip for which a
/// price was stated has exactly the number stated with it. Nothing where the
/// chip does not say, or for an unknown name. Router buffers are those of the
/// default timing set.
std::optional<double> structureOf(const Chip &target, const std::string &name);

} // namespace dendrolith

namespace dendrolith::yaml {

/// What a price is multiplied by on this chip, and what that makes of it.
struct Variation {
  double factor = 1;
  std::optional<Provenance> kind; ///< nothing where the factor is 1
};

/// Reads {with, at, kind, source[, power][, share]}, or a list of such, whose
/// factors are multiplied: 1 + share * ((quantity / at)^power - 1). A quantity
/// that the chip does not have changes nothing.
Variation readVariation(const Node &node, const Sources &sources,
                        const Chip &target);

/// A price as it holds on this chip, in the digits that sums of it are exact
/// in.
double vary(double value, double factor);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_PRICE_VARIES_H
