// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stored results, read as untrusted input. Those of schema 1 become ones of
// schema 2, so that reports know one form only.

#ifndef DENDROLITH_SIMULATOR_REPORT_READRESULT_H
#define DENDROLITH_SIMULATOR_REPORT_READRESULT_H

#include "simulator/events/Counts.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace dendrolith::report {

struct StoredResult {
  std::string path;              ///< of result.json
  nlohmann::ordered_json json;   ///< of schema 2
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

/// A result of schema 1 as one of schema 2, but for its energy and summary,
/// which pricing adds. Throws nlohmann's exceptions for what is no such result.
nlohmann::ordered_json upgraded(const nlohmann::ordered_json &old);

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_READRESULT_H
