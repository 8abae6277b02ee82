// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ResultFiles.h"

#include "runtime/arrays/NpyHeader.h"
#include "runtime/session/Stopwatch.h"
#include "simulator/report/result/Result.h"
#include "simulator/report/result/ResultFolder.h"
#include "simulator/result/RunResult.h"
#include "targets/support/Sha256.h"

#include <filesystem>

namespace dendrolith::session {
namespace {

size_t countOutputs(const Workload &workload) {
  if (!workload.model)
    return size_t(workload.program.outputs_size());
  auto all = workload.model->floatNetwork().getOps<dend::OutputOp>();
  return size_t(std::distance(all.begin(), all.end()));
}

/// outputs.npy, with its header: the bytes that recordingFiles() gives it.
std::shared_ptr<ValueFile> resultFile(const Workload &workload,
                                      const sim::OutputData &output,
                                      uint64_t values) {
  const LoadedInputs &inputs = workload.inputs;
  std::vector<uint64_t> shape;
  if (!inputs.single)
    shape.push_back(inputs.samples.begin()->second.samples);
  shape.push_back(inputs.ticks * output.ticks);
  shape.insert(shape.end(), output.shape.begin(), output.shape.end());
  const std::string header =
      npy::formatHeader(output.integer ? "<i4" : "<f8", shape);
  return std::make_shared<ValueFile>(
      workload.request.out->open("outputs.npy", header), "outputs.npy",
      output.integer ? ValueFile::ValueType::Int32 : ValueFile::ValueType::Real,
      header.size(), values);
}

} // namespace

/// A recorder holds no more.
static constexpr double kMostValues = 0x1p31;

sim::OutputStore longOutputs(const Workload &workload, bool further) {
  const RunRequest &request = workload.request;
  const bool toResult = !further && request.out && countOutputs(workload) == 1;
  return [=, &workload](const sim::OutputData &output,
                        uint64_t values) -> std::shared_ptr<ValueFile> {
    if (values <= workload.request.keptValues)
      return nullptr;
    if (toResult)
      return resultFile(workload, output, values);
    const RunRequest &request = workload.request;
    const std::string folder =
        request.out ? request.out->folder()
                    : std::filesystem::temp_directory_path().string();
    return std::make_shared<ValueFile>(folder, values);
  };
}

sim::TraceStore longTraces(const Workload &workload, NpzFile::Writers writers,
                           std::shared_ptr<NpzFile> &file) {
  const RunRequest &request = workload.request;
  if (!request.out || request.verify || request.byLayer)
    return {};
  return [&, writers](std::vector<sim::TraceData> &traces, uint64_t samples,
                      uint64_t ticks) {
    double values = 0; // which no request makes overflow
    NpzFile::Layouts layouts;
    for (const sim::TraceData &trace : traces) {
      std::vector<uint64_t> shape{ticks * trace.ticks, trace.size};
      if (!workload.inputs.single)
        shape.insert(shape.begin(), samples);
      values += double(samples) * double(ticks) * double(trace.ticks) *
                double(trace.size);
      layouts[trace.name] = {std::move(shape),
                             trace.real   ? ValueFile::ValueType::Real
                             : trace.wide ? ValueFile::ValueType::Int64
                                          : ValueFile::ValueType::Int32};
    }
    // Where they are too many for any memory, the recorder says so.
    if (values <= double(workload.request.keptValues) || values > kMostValues)
      return;
    file =
        std::make_shared<NpzFile>(workload.request.out->open("traces.npz", ""),
                                  "traces.npz", layouts, writers);
    for (sim::TraceData &trace : traces)
      trace.file = file->values(trace.name);
  };
}

void writeResult(RunOutcome &outcome, OutputDirectory &out,
                 nlohmann::ordered_json record) {
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
  if (!record.is_null()) {
    record["hashes"] = hashes;
    out.write("run.json", record.dump(2) + "\n");
  }
  result["hashes"] = std::move(hashes);
  out.write("result.json", result.dump(2) + "\n");
}

} // namespace dendrolith::session
