// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The designs that workers measure, what they measure them with, and which of
// them share the expensive stages.

#ifndef DENDROLITH_RUNTIME_EXPLORE_WORKERS_GROUPS_H
#define DENDROLITH_RUNTIME_EXPLORE_WORKERS_GROUPS_H

#include "runtime/explore/stages/Measure.h"
#include "runtime/explore/store/Store.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dendrolith::explore {

/// What a worker measures with. Measurer is one; a test has a faster one.
struct Meter {
  /// Designs of one text share what is expensive.
  std::function<std::string(const Design &)> groupOf;
  std::function<Measured(const Design &)> measure;
};

/// Each process makes its own, after it was forked.
using MakeMeter = std::function<Meter()>;

/// Designs by number, from 0 on.
struct DesignList {
  uint64_t size = 0;
  std::function<Design(uint64_t)> at;
};

/// All designs of the store's study.
DesignList allDesigns(const Store &store);

/// The group of each design: designs of one group share the expensive stages.
/// Groups are found once and kept in the store.
std::vector<uint32_t> groupsOf(const Store &store, const DesignList &designs,
                               const MakeMeter &make);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_WORKERS_GROUPS_H
