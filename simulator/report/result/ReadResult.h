// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stored results, read as untrusted input.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_READRESULT_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_READRESULT_H

#include "simulator/events/Counts.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace dendrolith::report {

struct StoredResult {
  std::string path;              ///< of result.json
  nlohmann::ordered_json json;   ///< result.json
  nlohmann::ordered_json tables; ///< tables.json; null where it is missing
  /// Absent where no chip was simulated. Without tables.json, cores are not
  /// told apart: only the totals are right.
  std::optional<sim::Counts> counts;
  uint64_t timePs = 0; ///< of the run; 0 where it was not simulated
};

/// Reads result.json of a folder, and tables.json, if it is there. Throws Error
/// for what is no result, for counts that do not add up, and for any file
/// beside it that is not its own (ResultFolder.h).
StoredResult readResult(const std::string &folder);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_READRESULT_H
