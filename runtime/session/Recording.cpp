// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Recording.h"

#include "runtime/arrays/WriteArrays.h"
#include "runtime/session/Raster.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <set>

namespace dendrolith::session {

std::vector<sim::Traceable> traceablesOf(dend::NetworkOp network) {
  std::vector<sim::Traceable> all;
  for (auto population : network.getOps<dend::PopulationOp>()) {
    dend::NeuronOp model = dend::modelOf(population);
    sim::Traceable &one = all.emplace_back();
    one.population = population.getSymName().str();
    for (unsigned i = 0; i < model.getStates().size(); ++i)
      one.states.push_back(model.getState(i).getName().getValue().str());
    for (unsigned i = 0; i < model.getOutputs().size(); ++i)
      one.outputs.push_back(model.getOutput(i).getName().getValue().str());
  }
  return all;
}

std::vector<sim::TraceRequest> parseTraces(const std::string &text) {
  std::vector<sim::TraceRequest> all;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string item = text.substr(at, end - at);
    // A node's name may hold anything but the state follows the last colon.
    size_t colon = item.rfind(':');
    if (item.empty() || colon == 0)
      throw Error("--trace '" + text + "': expected NODE[:STATE],...");
    all.push_back({item.substr(0, colon), colon == std::string::npos
                                              ? std::string()
                                              : item.substr(colon + 1)});
    at = end + 1;
  }
  return all;
}

std::vector<sim::TraceRequest>
tracesOfParts(const std::vector<sim::TraceRequest> &requests,
              const image::Program &program) {
  std::set<std::string> names;
  for (const image::Population &population : program.populations())
    names.insert(population.name());
  std::vector<sim::TraceRequest> all;
  for (const sim::TraceRequest &request : requests) {
    std::string part = request.population + ".0";
    if (names.count(request.population) || !names.count(part)) {
      all.push_back(request);
      continue;
    }
    for (unsigned i = 1; names.count(part); ++i) {
      all.push_back({part, request.state});
      part = fmt::format("{}.{}", request.population, i);
    }
  }
  return all;
}

Recording recordingOf(sim::RunResult &&result) {
  Recording recording;
  recording.samples = result.samples;
  recording.ticks = result.ticks;
  recording.outputs = std::move(result.outputs);
  recording.spikes = std::move(result.spikes);
  for (sim::TraceData &trace : result.traces) {
    if (trace.file)
      continue;
    recording.traces[trace.name] =
        Array::ofInts({result.samples, result.ticks * trace.ticks, trace.size},
                      std::move(trace.values), sim::typeOfTrace(trace.wide));
  }
  return recording;
}

std::vector<std::pair<std::string, Content>>
recordingFiles(const Recording &recording, bool single) {
  auto withAxes = [&](ArrayView array) {
    if (single)
      array.shape.erase(array.shape.begin());
    return array;
  };
  auto archive = [](std::map<std::string, ArrayView> arrays) {
    return [arrays = std::move(arrays)](const ByteSink &sink) {
      writeNpz(arrays, sink);
    };
  };
  std::map<std::string, ArrayView> outputs, traces;
  for (const sim::OutputData &output : recording.outputs) {
    std::vector<uint64_t> shape{recording.samples,
                                recording.ticks * output.ticks};
    shape.insert(shape.end(), output.shape.begin(), output.shape.end());
    ArrayView view(std::move(shape), output.values,
                   output.integer ? "<i4" : "<f8");
    view.file = output.file.get();
    outputs.emplace(output.name, withAxes(std::move(view)));
  }
  for (const auto &[name, array] : recording.traces)
    traces.emplace(name, withAxes(array));
  std::vector<std::pair<std::string, Content>> files;
  if (!recording.spikes.empty())
    files.emplace_back("spikes.npz", [&](const ByteSink &sink) {
      writeSpikes(recording.spikes, sink);
    });
  if (outputs.size() == 1)
    files.emplace_back("outputs.npy",
                       [array = outputs.begin()->second](const ByteSink &sink) {
                         writeNpy(array, sink);
                       });
  else if (!outputs.empty())
    files.emplace_back("outputs.npz", archive(std::move(outputs)));
  if (recording.traceFile)
    files.emplace_back("traces.npz",
                       [file = recording.traceFile](const ByteSink &sink) {
                         file->read(sink);
                       });
  else if (!traces.empty())
    files.emplace_back("traces.npz", archive(std::move(traces)));
  return files;
}

} // namespace dendrolith::session
