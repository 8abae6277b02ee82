// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bill is the counted energy of a priced result.json per sample, by groups of
// events. A paper's formula is put beside it.

#ifndef DENDROLITH_SIMULATOR_REPORT_PAPER_COUNTEDBILL_H
#define DENDROLITH_SIMULATOR_REPORT_PAPER_COUNTEDBILL_H

#include "targets/loader/chip/Counters.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace dendrolith::report {

/// Groups are printed in their order in Counters.def.
using Group = EventGroup;

/// A bill is one end of the band, or the only one.
struct Bill {
  struct EventSum {
    double events = 0, pJ = 0; // per sample
  };
  std::array<EventSum, kEventGroups> groups;
  std::map<std::string, EventSum> byEvent; // those with a price of their own
  double total = 0;                        // pJ per sample in events
  double still = 0;                        // pJ per sample static, not in total

  const EventSum &of(Group group) const { return groups[size_t(group)]; }
  /// Returns how many per cent of the total a group or an event is.
  double share(Group group) const { return share(of(group)); }
  double share(const EventSum &entry) const {
    return total > 0 ? 100 * entry.pJ / total : 0;
  }
  /// Returns " (x nJ a sample, not in the total above)", or nothing without
  /// static energy.
  std::string stillText() const;
};

/// Returns the two ends of a band, low first, or one bill where both are one
/// table.
std::vector<Bill> countedBills(const nlohmann::ordered_json &result);

std::string billTable(const std::vector<Bill> &bills);

/// Returns the counted energy over `formula` (pJ) as "x" or "x to y".
std::string ratioText(const std::vector<Bill> &bills, double formula);

/// Returns the heading "Why they differ", which says that shares are taken at
/// the high end where there are two bills.
std::string whyHeading(const std::vector<Bill> &bills);

/// Writes pJ as nJ with two digits.
std::string nano(double pJ);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_PAPER_COUNTEDBILL_H
