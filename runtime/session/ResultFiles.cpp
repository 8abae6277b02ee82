// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ResultFiles.h"

#include "runtime/session/Stopwatch.h"
#include "simulator/report/result/Result.h"
#include "simulator/report/result/ResultFolder.h"
#include "targets/support/Sha256.h"

namespace dendrolith::session {

void writeResult(RunOutcome &outcome, OutputDirectory &out) {
  Stopwatch watch;
  auto files = recordingFiles(outcome.recording, outcome.single);
  if (!outcome.predicted.empty()) {
    std::vector<uint64_t> shape;
    if (!outcome.single)
      shape.push_back(outcome.predicted.size() /
                      outcome.predictedTicks.value_or(1));
    if (outcome.predictedTicks)
      shape.push_back(*outcome.predictedTicks);
    const std::string predicted =
        formatNpy(Array::ofInts(shape, outcome.predicted));
    files.emplace_back("predicted.npy",
                       [predicted](const ByteSink &sink) { sink(predicted); });
  }
  const std::string tables = outcome.tables.dump() + "\n";
  files.emplace_back("tables.json",
                     [&](const ByteSink &sink) { sink(tables); });
  if (outcome.recording.traceFile)
    outcome.recording.traceFile->finish();
  nlohmann::ordered_json hashes = outcome.result["hashes"];
  for (const auto &file : files) {
    // It was written while the run was going on.
    if (std::optional<std::string> digest = out.digest(file.first)) {
      hashes[report::hashKey(file.first)] = *digest;
      continue;
    }
    Sha256 sum;
    out.write(file.first, [&](const ByteSink &sink) {
      file.second([&](std::string_view bytes) {
        sum.add(bytes);
        sink(bytes);
      });
    });
    hashes[report::hashKey(file.first)] = sum.digest();
  }
  // What is still to come, this file, is short.
  outcome.result["wall_s"]["write"] = watch.seconds();
  outcome.result["peak_rss_bytes"] = report::peakResidentBytes();
  nlohmann::ordered_json result = outcome.result;
  result["hashes"] = std::move(hashes);
  out.write("result.json", result.dump(2) + "\n");
}

} // namespace dendrolith::session
