// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ModelInputs.h"

#include "compiler/import/common/Findings.h"
#include "compiler/import/study/Meta.h"
#include "dialects/dend/reference/Clocks.h"
#include "runtime/arrays/EventArrays.h"
#include "runtime/arrays/LoadSamples.h"
#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "runtime/host/Signals.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

namespace {

/// What an input carries: events, or integers of a range.
struct Carried {
  std::string name;
  bool isEvents = false;
  int64_t low = 0, high = 1;
};

/// The first value that is no whole number of the range, or the size.
size_t firstOutside(const Samples &samples, const Carried &carried) {
  return samples.values.visit([&](const auto &values) {
    size_t at = 0;
    for (; at < values.size(); ++at)
      if (const double value = double(values[at]);
          !(value >= double(carried.low) && value <= double(carried.high)) ||
          value != std::nearbyint(value))
        break;
    return at;
  });
}

void check(const Carried &carried, const Samples &samples,
           const std::string &target) {
  const size_t i = carried.isEvents ? firstNoEvent(samples.values)
                                    : firstOutside(samples, carried);
  if (i == samples.values.size())
    return;
  const uint64_t width = samples.width();
  const std::string found =
      fmt::format("input '{}' is {} at sample {}, step {}, element {}",
                  carried.name, samples.values[i], i / width / samples.steps,
                  i / width % samples.steps, i % width);
  if (carried.isEvents)
    throw Error(fmt::format(
        "{}, but on target '{}' it carries binary events: expected only 0 and "
        "1; encode the values as events, or compile with such values as "
        "samples of --calibrate for a target that takes integers, such as "
        "'ideal' or 'loihi2'",
        found, target));
  throw Error(fmt::format("{}: expected a whole number from {} to {}", found,
                          carried.low, carried.high));
}

void checkAll(const std::vector<Carried> &inputs, const SamplesByInput &all,
              const std::string &target) {
  Collector faults;
  for (const Carried &carried : inputs)
    if (auto given = all.find(carried.name); given != all.end())
      if (!carried.isEvents || !given->second.tokens)
        faults.attempt([&] { check(carried, given->second, target); });
  faults.raise();
}

/// Whether the compiler made integers of real values for an input, as a note of
/// the image says.
bool wasReal(const image::Program &program, const image::Input &input) {
  return std::any_of(program.policies().begin(), program.policies().end(),
                     [&](const image::Note &note) {
                       return note.key() == "input " + input.name();
                     });
}

} // namespace

void checkSamples(const image::Program &program, const SamplesByInput &all) {
  std::vector<Carried> inputs;
  for (const image::Input &input : program.inputs())
    if (input.kind() == image::Input::BINARY)
      inputs.push_back({input.name(), true});
    else if (input.scale() == 1 && !wasReal(program, input))
      inputs.push_back({input.name(), false, input.low(), input.high()});
  checkAll(inputs, all, program.target_name());
}

void checkSamples(Compilation &model, const SamplesByInput &all) {
  std::vector<Carried> inputs;
  for (auto input : model.fixedNetwork().getOps<dend::InputOp>()) {
    auto spike = mlir::cast<dend::SpikeType>(input.getSpike());
    const std::string name = input.getSymName().str();
    if (spike.getKind() == dend::SpikeKind::Binary)
      inputs.push_back({name, true});
    else if (spike.getKind() == dend::SpikeKind::Int && !input.getScale())
      inputs.push_back({name, false, spike.getLow(), spike.getHigh()});
  }
  checkAll(inputs, all, model.target().name);
}

} // namespace dendrolith::session
