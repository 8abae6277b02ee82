// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bill is the counted energy of a priced result.json per sample, by groups of
// events.

#ifndef DENDROLITH_SIMULATOR_REPORT_PAPER_COUNTEDBILL_H
#define DENDROLITH_SIMULATOR_REPORT_PAPER_COUNTEDBILL_H

#include "targets/loader/chip/Counters.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::report {

/// Groups are printed in their order in Counters.def.
using Group = EventGroup;

/// A bill is one end of the band, or the only one.
struct Bill {
  struct EventSum {
    double events = 0, pJ = 0; // per sample
    bool isPriced = false;     // some of what happened
  };
  std::array<EventSum, kEventGroups> groups;
  std::optional<double> total; // pJ per sample in events
};

/// Returns the two ends of a band, low first, or one bill where both are one
/// table.
std::vector<Bill> countedBills(const nlohmann::ordered_json &result);

std::string billTable(const std::vector<Bill> &bills);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_PAPER_COUNTEDBILL_H
