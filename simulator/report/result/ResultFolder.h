// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a result's folder. result.json has the SHA-256 of each of the
// others, so that none of another run is taken for its own. run.json, which says
// how to run it again, has those digests, too.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_RESULTFOLDER_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_RESULTFOLDER_H

#include <nlohmann/json_fwd.hpp>

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

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_RESULTFOLDER_H
