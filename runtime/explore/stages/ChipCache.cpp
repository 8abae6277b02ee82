// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/stages/ChipCache.h"

#include "simulator/report/result/Pricing.h"
#include "targets/loader/price/CostFiles.h"

namespace dendrolith::explore {

// A chip takes some 100 kB. A study that changes chips more often reads again.
static constexpr size_t kMostChips = 200, kMostTables = 50;

const Target &ChipCache::chip(const std::string &target,
                              std::initializer_list<const Changes *> changes) {
  const std::string name = withChanges(target, changes);
  auto found = chips.find(name);
  if (found != chips.end())
    return *found->second;
  auto chip = std::make_unique<Target>(Target::load(name));
  if (chips.size() >= kMostChips)
    chips.clear();
  return *(chips[name] = std::move(chip));
}

/// A table takes its changed prices from the chip's list of changes. They are
/// put there as they are: Target::set() would read the whole chip again for
/// each, which is most of the time of a point where nothing else changes.
const std::vector<CostTable> &ChipCache::tables(const Target &chip,
                                                const std::string &costs,
                                                const Changes &prices) {
  std::string key = chip.hash + "\n" + costs;
  for (const auto &[name, value] : prices) {
    key += "\n" + name + "=" + value;
    if (known.insert(chip.hash + name).second)
      try {
        priceOf(chip, name);
      } catch (const Error &error) {
        known.erase(chip.hash + name);
        throw Error("cannot set '" + name + "': " + error.what());
      }
  }
  auto found = priced.find(key);
  if (found != priced.end())
    return found->second;
  Target changed = chip;
  for (const auto &[name, value] : prices)
    changed.overrides.push_back({name, value, ""});
  std::vector<CostTable> tables = report::chooseCosts(costs, changed);
  if (priced.size() >= kMostTables)
    priced.clear();
  return priced[key] = std::move(tables);
}

} // namespace dendrolith::explore
