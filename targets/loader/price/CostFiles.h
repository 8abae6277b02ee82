// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a chip's cost tables, by their names.

#ifndef DENDROLITH_TARGETS_LOADER_PRICE_COSTFILES_H
#define DENDROLITH_TARGETS_LOADER_PRICE_COSTFILES_H

#include "targets/loader/chip/Chip.h"

#include <string>
#include <utility>
#include <vector>

namespace dendrolith {

/// Names of the cost tables beside the target's file, sorted.
std::vector<std::string> listCostTables(const Chip &target);

/// The file of a cost table by name; "" when there is none.
std::string costFile(const Chip &target, const std::string &name);

/// The table and the event of "costs.TABLE.EVENT"; both may hold dots. Throws
/// Error where the target has no such table.
std::pair<std::string, std::string> splitPriceKey(const Chip &target,
                                                  const std::string &key);

/// What the price that `key` names ("costs.davies2018.hops_ew") is now, as
/// text. Throws Error for another table or event.
std::string priceOf(const Chip &target, const std::string &key);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_PRICE_COSTFILES_H
