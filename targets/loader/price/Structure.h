// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a chip's structure a price may vary with.

#ifndef DENDROLITH_TARGETS_LOADER_PRICE_STRUCTURE_H
#define DENDROLITH_TARGETS_LOADER_PRICE_STRUCTURE_H

#include "targets/loader/chip/Chip.h"

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

#endif // DENDROLITH_TARGETS_LOADER_PRICE_STRUCTURE_H
