// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ResultFiles.h"

#include "simulator/report/ResultFolder.h"
#include "targets/support/Sha256.h"

namespace neurite::session {

std::vector<std::pair<std::string, std::string>>
resultFiles(const RunOutcome &outcome) {
  auto files = recordingFiles(outcome.recording, outcome.single);
  if (!outcome.predicted.empty()) {
    std::vector<uint64_t> shape;
    if (!outcome.single)
      shape.push_back(outcome.predicted.size());
    files.emplace_back("predicted.npy",
                       formatNpy(Array::ofInts(shape, outcome.predicted)));
  }
  files.emplace_back("tables.json", outcome.tables.dump() + "\n");
  nlohmann::ordered_json result = outcome.result;
  for (const auto &[name, bytes] : files)
    result["hashes"][report::hashKey(name)] = sha256(bytes);
  files.emplace_back("result.json", result.dump(2) + "\n");
  return files;
}

} // namespace neurite::session
