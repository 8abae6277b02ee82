// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/ModelFlags.h"

#include "compiler/pipelines/Rewrites.h"
#include "dialects/dend/reference/Clocks.h"
#include "runtime/Heap.h"
#include "runtime/Npy.h"
#include "targets/Error.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

namespace neurite::driver {
namespace {

// Without --calibrate a model is calibrated on this many of its own samples.
constexpr uint64_t kOwnSamples = 32;

/// A .npz file as the arrays that extern constants are bound to.
dend::Bindings loadBindings(const std::string &path) {
  dend::Bindings bindings;
  if (path.empty())
    return bindings;
  for (auto &[name, array] : loadNpz(path)) {
    dend::Tensor tensor;
    tensor.shape.assign(array.shape.begin(), array.shape.end());
    tensor.isReal = !array.isInteger();
    tensor.isComplex = array.kind == Array::Kind::Complex;
    tensor.real = std::move(array.real);
    tensor.ints = std::move(array.ints);
    bindings.emplace(name, std::move(tensor));
  }
  return bindings;
}

void warnOfLabels(uint64_t hidden, const Samples &samples,
                  const std::string &path) {
  if (hidden)
    std::fprintf(stderr,
                 "warning: input '%s': %llu of %llu samples tell the label at "
                 "their query; it is taken as 0\n",
                 path.c_str(), static_cast<unsigned long long>(hidden),
                 static_cast<unsigned long long>(samples.samples));
}

std::string names(const std::vector<InputShape> &inputs) {
  std::string text;
  for (const InputShape &input : inputs)
    text += (text.empty() ? "'" : ", '") + input.name + "'";
  return text;
}

} // namespace

void ModelFlags::addTo(CLI::App &command) {
  command
      .add_option("--target", compile.target, "Chip: a name or a .yaml file")
      ->capture_default_str();
  command.add_option("--calibrate", calibrate,
                     "Samples that set the number ranges: X.npy or NAME=X.npy");
  command.add_option(
      "--weights", weights,
      "Arrays (.npz) for the extern constants of an .mlir model");
  command
      .add_option("--spikes", compile.spikes,
                  "How integers travel: graded (one message with a payload), "
                  "unary (a message per unit) or auto, as the target can")
      ->check(CLI::IsMember({"auto", "graded", "unary"}))
      ->capture_default_str();
  command.add_option("--input-bits", compile.inputBits,
                     "Bits of a real-valued input, sign included (else 8)");
  command.add_option("--min-cores", compile.minCores,
                     "Spread over at least so many cores: a population each "
                     "first, then the largest in parts");
  command
      .add_option(
          "--split-dendrite", compile.splitDendrite,
          "A neuron too wide for a core: wide, a number of parts, their "
          "sizes (5+6+5), or auto, as the mapper finds cheapest")
      ->capture_default_str();
  command.add_option("--placement", compile.placement,
                     "File that pins slices of populations to cores");
  command.add_option(
      "--solver", compile.solver,
      "Mapping solver: default, round-robin or packed (few cores); "
      "without it the model's own placement, else default");
  command.add_option("--override-limit", compile.overrideLimits,
                     "Limit of the chip to exceed by request, recorded in the "
                     "result");
  command
      .add_option("--rewrite", compile.rewrites,
                  "Change the network into a cheaper one (repeatable); the "
                  "result says what was changed and what was verified")
      ->check(CLI::IsMember(rewriteNames()))
      ->allow_extra_args(false);
  for (const auto &option : nir::optionNames()) {
    std::string name = option.first;
    command.add_option_function<std::string>(
        "--" + name,
        [this, name](const std::string &value) {
          nir::setOption(nir, name, value);
        },
        option.second);
  }
}

std::string givenModelFlags(const CLI::App &command) {
  std::string given;
  for (const char *flag : {"--spikes", "--input-bits", "--min-cores",
                           "--split-dendrite", "--rewrite"})
    if (command.count(flag))
      given += (given.empty() ? "" : ", ") + std::string(flag);
  return given;
}

std::unique_ptr<Compilation> importWith(const ModelFlags &flags,
                                        const std::string &path) {
  // What the tables of all passes take, as far as they live together; archives
  // are stored as they are.
  constexpr size_t kPasses = 12, kLarge = size_t(4) << 20;
  std::error_code none;
  const uintmax_t size = std::filesystem::file_size(path, none);
  if (!none && size >= kLarge &&
      std::filesystem::path(path).extension() == ".npz")
    reserveHeap(kPasses * size);
  auto model = std::make_unique<Compilation>(path, flags.nir,
                                             loadBindings(flags.weights));
  for (const std::string &warning : model->warnings())
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
  model->rewrite(flags.compile);
  return model;
}

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
                   query});
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
                   query});
  }
  return all;
}

LoadedInputs loadInputs(const std::vector<std::string> &arguments,
                        const std::vector<InputShape> &inputs) {
  LoadedInputs loaded;
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
      loaded.expected = std::move(stimulus->expected);
      loaded.expectedIn = path;
      if (samples.shape != input->shape)
        throw Error(fmt::format("input '{}': expected steps of shape {}, found "
                                "{}",
                                path, shapeText(input->shape),
                                shapeText(samples.shape)));
    } else {
      Array array = loadNpy(path);
      single = array.shape.size() == input->shape.size() + 1;
      samples = toSamples(array, input->shape, "input '" + path + "'");
    }
    if (input->query)
      warnOfLabels(maskQueries(samples, *input->query, "input '" + path + "'"),
                   samples, path);
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
    loaded.single = single;
  }
  for (const InputShape &input : inputs)
    if (!loaded.samples.count(input.name))
      throw Error(fmt::format("the model's input '{}' has no file; write "
                              "--input {}=FILE",
                              input.name, input.name));
  return loaded;
}

void calibrateWith(Compilation &model, const ModelFlags &flags,
                   const LoadedInputs &own) {
  if (!flags.calibrate.empty())
    return model.calibrate(
        loadInputs(flags.calibrate, inputShapes(model.floatNetwork())).samples,
        "given");
  std::map<std::string, Samples> some = own.samples;
  for (auto &[name, samples] : some) {
    samples.samples = std::min(samples.samples, kOwnSamples);
    samples.values.resize(samples.samples * samples.steps * samples.width());
  }
  model.calibrate(some, "the first of the run itself");
}

} // namespace neurite::driver
