// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ResultFiles.h"

#include "targets/support/Sha256.h"

namespace neurite::session {

std::vector<std::pair<std::string, std::string>>
resultFiles(const RunOutcome &outcome) {
  auto files = recordingFiles(outcome.recording, outcome.single);
  files.emplace_back("tables.json", outcome.tables.dump() + "\n");
  nlohmann::ordered_json result = outcome.result;
  for (const auto &[name, bytes] : files) // "traces.npz" is "traces_sha256"
    result["hashes"][name.substr(0, name.find('.')) + "_sha256"] =
        sha256(bytes);
  files.emplace_back("result.json", result.dump(2) + "\n");
  return files;
}

} // namespace neurite::session
