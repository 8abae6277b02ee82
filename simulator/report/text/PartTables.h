// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith report --by`: whose energy it is, largest first, with shares.

#ifndef DENDROLITH_SIMULATOR_REPORT_TEXT_PARTTABLES_H
#define DENDROLITH_SIMULATOR_REPORT_TEXT_PARTTABLES_H

#include "simulator/events/Counts.h"
#include "targets/loader/price/CostTable.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::report {

/// What the numbers of a table are of: the whole run, or one of its samples or
/// steps.
struct Per {
  /// "run", "sample" or "step" of a result. Throws Error where it has none.
  static Per of(const std::string &word, const nlohmann::ordered_json &result);
  std::string heading; ///< a line, empty where a run has one sample
  double count = 1;    ///< of them in the run
};

/// The sum of the counters under a name of `counts`.
uint64_t sumOf(const nlohmann::ordered_json &value);

/// What a row of `layers` is called.
std::string layerName(const nlohmann::ordered_json &row);

/// The rows of `layers`, and the flows between them, as Pricing.h has them.
std::string formatByLayer(const nlohmann::ordered_json &layers,
                          const nlohmann::ordered_json &flows,
                          const Per &per = {});

/// Host, chip and every core, priced by the ends of `tables` or the only one.
std::string formatByCore(const sim::Counts &counts,
                         const std::vector<CostTable> &tables,
                         const Per &per = {});

/// The events of `low` and `high`, which are bills as toJson(Energy) gives.
std::string formatByEvent(const nlohmann::ordered_json &low,
                          const nlohmann::ordered_json &high,
                          const Per &per = {});

/// The samples with most energy. `energies` is {low: [...], high: [...]};
/// `latencies`, `correct` and `asked` are arrays or null; with `asked`, answers
/// of each sample, `correct` counts those that are right.
std::string formatBySample(const nlohmann::ordered_json &energies,
                           const nlohmann::ordered_json &latencies,
                           const nlohmann::ordered_json &correct,
                           const nlohmann::ordered_json &asked);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_TEXT_PARTTABLES_H
