// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Recording.h"

#include "runtime/arrays/WriteArrays.h"
#include "runtime/session/Raster.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <cstring>
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

/// Reads one request from `at` on, which then is at the comma or the end.
static sim::TraceRequest parseTrace(const std::string &text, size_t &at) {
  std::string item;
  size_t colon = std::string::npos; // the last one, which the state follows
  for (; at < text.size() && text[at] != ','; ++at) {
    const bool escapes = text[at] == '\\' && at + 1 < text.size() &&
                         std::strchr(",:\\", text[at + 1]);
    if (escapes)
      ++at;
    else if (text[at] == ':')
      colon = item.size();
    item += text[at];
  }
  if (colon == std::string::npos && !item.empty())
    return {item, ""};
  if (item.empty() || colon == 0 || colon + 1 == item.size())
    throw Error("--trace '" + printable(text) +
                "': expected NODE[:STATE],..., without an empty name");
  return {item.substr(0, colon), item.substr(colon + 1)};
}

std::vector<sim::TraceRequest> parseTraces(const std::string &text) {
  std::vector<sim::TraceRequest> all;
  std::map<std::string, std::string> populations; // by what a trace is called
  for (size_t at = 0; at < text.size(); ++at) {
    all.push_back(parseTrace(text, at));
    const auto &[population, state] = all.back();
    const std::string name = sim::textOf(all.back());
    if (populations.emplace(name, population).first->second != population)
      throw Error("--trace: '" + printable(name) +
                  "' means two things here, a node and a state of another; "
                  "trace them in two runs");
    if (at + 1 == text.size())
      throw Error("--trace '" + printable(text) +
                  "': ends with a comma, expected NODE[:STATE] after it");
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
