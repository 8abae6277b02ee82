// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counted energy of a priced result.json per sample, by groups of events:
// what a paper's formula is put beside.

#ifndef NEURITE_SIMULATOR_REPORT_COUNTEDBILL_H
#define NEURITE_SIMULATOR_REPORT_COUNTEDBILL_H

#include "targets/loader/Counters.h"

#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace neurite::report {

/// They are printed in their order in Counters.def.
using Group = EventGroup;

/// One end of the band, or the only bill.
struct Bill {
  struct Entry {
    double events = 0, pJ = 0; // per sample
  };
  std::array<Entry, kEventGroups> groups;
  std::map<std::string, Entry> byEvent; // those with a price of their own
  double total = 0;                     // pJ per sample in events
  double still = 0;                     // pJ per sample static, not in total

  const Entry &of(Group group) const { return groups[size_t(group)]; }
  /// Per cent of the total.
  double share(Group group) const { return share(of(group)); }
  double share(const Entry &entry) const {
    return total > 0 ? 100 * entry.pJ / total : 0;
  }
  /// " (x nJ a sample, not in the total above)", empty without static energy.
  std::string stillText() const;
};

/// The two ends of a band, low first, or one bill.
std::vector<Bill> countedBills(const nlohmann::ordered_json &result);

std::string billTable(const std::vector<Bill> &bills);

/// Counted over `formula` (pJ): "x" or "x to y".
std::string ratioText(const std::vector<Bill> &bills, double formula);

/// "Why they differ", saying at which end shares are taken: the last bill.
std::string whyHeading(const std::vector<Bill> &bills);

/// pJ as nJ with two digits.
std::string nano(double pJ);

} // namespace neurite::report

#endif // NEURITE_SIMULATOR_REPORT_COUNTEDBILL_H
