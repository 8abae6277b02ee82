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
#include <tuple>
#include <vector>

namespace dendrolith::explore {

/// What a worker measures with. Measurer is one; a test has a faster one.
struct Meter {
  std::function<SharedStages(const Design &)> sharedStagesOf;
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

/// Designs of one network are quantised once, those of one program mapped and
/// run once. Both are numbered in the order in which they are met.
struct Group {
  uint32_t network = 0, program = 0;
  bool operator==(const Group &o) const {
    return network == o.network && program == o.program;
  }
  bool operator<(const Group &o) const {
    return std::tie(network, program) < std::tie(o.network, o.program);
  }
};

/// The group of each design. Groups are found once and kept in the store.
std::vector<Group> groupsOf(const Store &store, const DesignList &designs,
                            const MakeMeter &make);

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_WORKERS_GROUPS_H
