// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chips of a study, each read once, and their cost tables.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STAGES_CHIPCACHE_H
#define DENDROLITH_RUNTIME_EXPLORE_STAGES_CHIPCACHE_H

#include "runtime/explore/stages/DesignSetup.h"
#include "targets/loader/Target.h"
#include "targets/loader/price/CostTable.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace dendrolith::explore {

class ChipCache {
public:
  /// The chip with these changes, as `dendrolith run --target` makes it. It
  /// stays for a while: some calls later it may be gone. Throws Error as
  /// Target::load() does.
  const Target &chip(const std::string &target,
                     std::initializer_list<const Changes *> changes = {});

  /// The tables that a run of the chip is priced with: one, or both ends of a
  /// band. `prices` are changes of them ("costs.lower.hops_ew"). Throws Error
  /// for a price that no table has.
  const std::vector<CostTable> &
  tables(const Target &chip, const std::string &costs, const Changes &prices);

private:
  std::map<std::string, std::unique_ptr<Target>> chips;
  std::set<std::string> known; ///< prices of chips that have been there
  std::map<std::string, std::vector<CostTable>> priced;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STAGES_CHIPCACHE_H
