// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ModelInputs.h"

#include "compiler/import/study/Meta.h"
#include "dialects/dend/reference/Clocks.h"
#include "runtime/arrays/EventArrays.h"
#include "runtime/arrays/LoadSamples.h"
#include "runtime/arrays/LoadTokens.h"
#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "runtime/host/Signals.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::session {
namespace {

// Far more than the arrays that are read may hold.
constexpr uint64_t kFileBytes = uint64_t(8) << 30;

void warnOfLabels(uint64_t hidden, const Samples &samples,
                  const std::string &path, const Listener &listener) {
  if (hidden)
    listener.warn({"told-label", "input '" + path + "'",
                   fmt::format("{} of {} samples tell the label at their "
                               "query; it is taken as 0",
                               hidden, samples.samples)});
}

std::string names(const std::vector<InputShape> &inputs) {
  std::string text;
  for (const InputShape &input : inputs)
    text += (text.empty() ? "'" : ", '") + input.name + "'";
  return text;
}

} // namespace

std::vector<InputShape> inputShapes(dend::NetworkOp network) {
  std::vector<InputShape> all;
  auto ticks = dend::ticksPerRoot(network);
  for (auto input : network.getOps<dend::InputOp>()) {
    auto type = mlir::cast<mlir::RankedTensorType>(input.getType());
    uint64_t perRoot = 1;
    if (succeeded(ticks))
      perRoot = static_cast<uint64_t>(ticks->lookup(input.getClock()));
    std::optional<Query> query;
    if (input.getQuery())
      query = Query{*input.getQuery(), input.getMasks()};
    all.push_back({input.getSymName().str(),
                   {type.getShape().begin(), type.getShape().end()},
                   perRoot,
                   query,
                   input.getTokens()});
  }
  return all;
}

std::vector<InputShape> inputShapes(const image::Program &program) {
  std::vector<InputShape> all;
  for (const image::Input &input : program.inputs()) {
    std::optional<Query> query;
    if (input.has_query())
      query = Query{input.query(), std::nullopt};
    if (input.has_masks())
      query->label = input.masks();
    all.push_back({input.name(),
                   {input.shape().begin(), input.shape().end()},
                   std::max<uint64_t>(input.ticks(), 1),
                   query,
                   input.tokens()});
  }
  return all;
}

LoadedInputs loadInputs(const std::vector<std::string> &arguments,
                        const std::vector<InputShape> &inputs, uint64_t steps,
                        const Listener &listener) {
  LoadedInputs loaded;
  if (inputs.empty()) {
    if (!arguments.empty() || !steps)
      throw Error("the network has no inputs; give --steps N, for how many "
                  "steps it runs, and no input file");
    loaded.samples[kNoInput] = {1, steps, {0}, {}};
    loaded.ticks = steps;
    loaded.single = true;
    return loaded;
  }
  if (steps)
    throw Error(fmt::format("--steps is for networks without inputs, and this "
                            "one has {}, whose files say how many steps there "
                            "are",
                            names(inputs)));
  for (const std::string &argument : arguments) {
    const InputShape *input = nullptr;
    std::string path = argument;
    for (const InputShape &candidate : inputs)
      if (argument.rfind(candidate.name + "=", 0) == 0) {
        input = &candidate;
        path = argument.substr(candidate.name.size() + 1);
      }
    if (!input && inputs.size() == 1)
      input = &inputs.front();
    if (!input)
      throw Error(fmt::format("'{}': the model has {} inputs ({}); write "
                              "NAME=FILE for each",
                              argument, inputs.size(), names(inputs)));
    Samples samples;
    bool single = true;
    if (auto stimulus = loadStimulus(path)) {
      samples = toSamples(*stimulus);
      // The spikes of a column are not known beforehand.
      if (!study::readMeta(path).column)
        loaded.expected = std::move(stimulus->expected);
      loaded.expectedIn = path;
      if (samples.shape != input->shape)
        throw Error(fmt::format("input '{}': expected steps of shape {}, found "
                                "{}",
                                path, shapeText(input->shape),
                                shapeText(samples.shape)));
    } else if (EventArrays::isArchive(path)) {
      samples = EventArrays(path).toSamples(input->shape);
      single = false;
    } else if (input->tokens) {
      LoadedTokens read =
          loadTokens(path, input->shape.front(), "input '" + path + "'");
      samples = std::move(read.samples);
      single = read.single;
    } else {
      single = headOfNpy(path).shape.size() == input->shape.size() + 1;
      samples = loadSamples(path, input->shape, "input '" + path + "'");
    }
    if (input->query)
      warnOfLabels(maskQueries(samples, *input->query, "input '" + path + "'"),
                   samples, path, listener);
    if (samples.steps % input->ticks != 0)
      throw Error(
          fmt::format("input '{}': expected a multiple of {} steps, the "
                      "ticks of its clock per tick of the network, "
                      "found {}",
                      path, input->ticks, samples.steps));
    uint64_t ticks = samples.steps / input->ticks;
    if (loaded.samples.empty()) {
      loaded.ticks = ticks;
    } else if (const auto &[other, first] = *loaded.samples.begin();
               first.samples != samples.samples || loaded.ticks != ticks) {
      throw Error(fmt::format(
          "input '{}': {} samples of {} ticks, but input '{}' has {} of {}",
          path, samples.samples, ticks, other, first.samples, loaded.ticks));
    }
    if (!loaded.samples.emplace(input->name, std::move(samples)).second)
      throw Error(fmt::format("input '{}' is given twice", input->name));
    loaded.files[input->name] = path;
    loaded.single = single;
  }
  for (const InputShape &input : inputs)
    if (!loaded.samples.count(input.name))
      throw Error(fmt::format("the model's input '{}' has no file; write "
                              "--input {}=FILE",
                              input.name, input.name));
  return loaded;
}

std::map<std::string, std::string> hashesOf(const LoadedInputs &inputs) {
  std::map<std::string, std::string> hashes;
  for (const auto &[name, path] : inputs.files)
    hashes[name] = sha256OfFile(path, kFileBytes);
  return hashes;
}

} // namespace dendrolith::session
