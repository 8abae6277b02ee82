// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a result's folder. result.json has the SHA-256 of each of the
// others, so that none of another run is taken for its own. run.json, which says
// how to run it again, has those digests, too.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_RESULTFOLDER_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_RESULTFOLDER_H

#include "simulator/events/Counts.h"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::report {

/// Names of all files that a result may have; result.json, which marks it as
/// complete, is the last.
std::vector<std::string> resultFileNames();

/// The member of `hashes` for a file of a result: "traces_sha256" for
/// "traces.npz".
std::string hashKey(const std::string &name);

/// Throws Error for a file of the folder that is not the one whose SHA-256 is
/// in `hashes`, and for one beside a null there, which is of another run.
void checkPresent(const std::string &folder,
                  const nlohmann::ordered_json &hashes);

/// Throws Error for a file that is missing, unless result.json stands alone: a
/// copy of it is worth reading, and a folder that lost a part is suspicious.
void checkComplete(const std::string &folder,
                   const nlohmann::ordered_json &hashes);

// Stored results, read as untrusted input.

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

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_RESULTFOLDER_H
