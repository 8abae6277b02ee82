// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counts of a run that formulas of conventions read, per sample, by layer
// and by projection. targets/conventions/README.md says what each is.

#ifndef DENDROLITH_SIMULATOR_REPORT_PAPER_COUNTROWS_H
#define DENDROLITH_SIMULATOR_REPORT_PAPER_COUNTROWS_H

#include "targets/loader/price/Convention.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace dendrolith::report {

/// One layer or projection. Its names are counts, and prices and curves of the
/// convention that is set.
class CountRow : public yaml::Meaning {
public:
  /// Throws Error for a count that this row has not.
  double number(const std::string &name) const override;
  std::string text(const std::string &) const override { return ""; }
  double call(const std::string &function,
              const std::vector<double> &of) const override;

  std::string label; ///< "layer 'lif1'" or "'input' to 'lif1'"
  std::map<std::string, double> numbers;
  const Convention *convention = nullptr;
};

struct CountRows {
  std::vector<CountRow> layers, projections;
};

/// Reads a result of a chip and the `flows` of its tables.json.
CountRows countRows(const nlohmann::ordered_json &result,
                    const nlohmann::ordered_json &flows);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_PAPER_COUNTROWS_H
