// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ModelRequest.h"

#include "compiler/import/mlir/Ranc.h"
#include "runtime/arrays/Npy.h"
#include "runtime/session/ModelInputs.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace dendrolith::session {
namespace {

// Without --calibrate a model is calibrated on this many of its own samples,
// and where there is but one on so many of its ticks.
constexpr uint64_t kOwnSamples = 32, kOwnTicks = 4096;

/// Whether the array `name` can be what a constant is bound to by its key.
bool isKeyOf(dend::ConstantOp constant, const std::string &name) {
  const std::string key = constant.getKey().value_or("").str();
  return !key.empty() &&
         (name == key || name == key + "_re" || name == key + "_im");
}

/// Whether an array of shape `found` can be what constants are bound to by the
/// key `name`.
bool isAsked(dend::NetworkOp network, const std::string &name,
             llvm::ArrayRef<uint64_t> found) {
  for (auto constant : network.getOps<dend::ConstantOp>()) {
    if (!isKeyOf(constant, name))
      continue;
    auto wanted = mlir::cast<mlir::ShapedType>(constant.getType()).getShape();
    if (found.size() >= wanted.size() &&
        std::equal(wanted.begin(), wanted.end(),
                   found.end() - ptrdiff_t(wanted.size()),
                   [](int64_t a, uint64_t b) { return uint64_t(a) == b; }))
      return true;
  }
  return false;
}

/// Names the arrays that bind nothing: a key is misspelt, or the file is
/// another network's.
void warnOfUnused(const std::string &path, dend::NetworkOp network,
                  const dend::Bindings &bindings, const Listener &listener) {
  constexpr size_t kNamed = 8;
  auto constants = network.getOps<dend::ConstantOp>();
  std::vector<std::string> unused;
  for (const auto &[name, tensor] : bindings)
    if (std::none_of(constants.begin(), constants.end(),
                     [&, &key = name](dend::ConstantOp constant) {
                       return isKeyOf(constant, key);
                     }))
      unused.push_back("'" + printable(name) + "'");
  if (unused.empty())
    return;
  const size_t more = unused.size() - std::min(unused.size(), kNamed);
  unused.resize(unused.size() - more);
  listener.warn({"unused-array", path,
                 fmt::format("{}{} bind no constant of the network: none is "
                             "extern by that name",
                             fmt::join(unused, ", "),
                             more ? fmt::format(" and {} more", more) : "")});
}

/// The arrays of a .npz file that extern constants of the network are bound to.
/// Only the shape of other arrays is read, for the message that refuses them.
dend::Bindings loadBindings(const std::string &path, dend::NetworkOp network,
                            const Listener &listener) {
  dend::Bindings bindings;
  for (const auto &[name, head] : headsOfNpz(path)) {
    dend::Tensor tensor;
    tensor.shape.assign(head.shape.begin(), head.shape.end());
    if (!isAsked(network, name, head.shape)) {
      bindings.emplace(name, std::move(tensor));
      continue;
    }
    Array array = std::move(loadNpz(path, {name}).at(name));
    tensor.isReal = !array.isInteger();
    tensor.isComplex = array.kind == Array::NumberKind::Complex;
    tensor.real = std::move(array.real);
    tensor.ints = std::move(array.ints);
    bindings.emplace(name, std::move(tensor));
  }
  warnOfUnused(path, network, bindings, listener);
  return bindings;
}

} // namespace

std::unique_ptr<Compilation> importModel(const ModelRequest &request,
                                         const std::string &path) {
  SharedTarget(request.compile.target).get(); // a misspelt one fails at once
  Compilation::Bind bind;
  if (!request.weights.empty())
    bind = [&request](dend::NetworkOp network) {
      return loadBindings(request.weights, network, request.listener);
    };
  auto model = std::make_unique<Compilation>(path, request.import, bind);
  model->useThreads(request.compile.threads);
  for (const Warning &warning : model->warnings())
    request.listener.warn(warning);
  model->rewrite(request.compile);
  return model;
}

LoadedInputs loadRunInputs(Compilation &model, const std::string &path,
                           const std::vector<std::string> &inputs,
                           uint64_t steps, const Listener &listener) {
  if (inputs.empty() && isRanc(path)) {
    LoadedInputs loaded;
    loaded.single = true;
    loaded.samples = packetsOfRanc(path);
    if (!loaded.samples.empty()) {
      loaded.ticks = loaded.samples.begin()->second.steps;
      return loaded;
    }
  }
  std::vector<std::string> given = inputs;
  if (given.empty() && model.isComplete())
    given = {path};
  return loadInputs(given, inputShapes(model.floatNetwork()), steps, listener);
}

LoadedModel loadModel(const ModelRequest &request, const std::string &path,
                      const std::vector<std::string> &inputs) {
  LoadedModel model;
  model.compilation = importModel(request, path);
  model.inputs = loadRunInputs(*model.compilation, path, inputs, request.steps,
                               request.listener);
  return model;
}

/// Whether `request` has samples; calibrates on them.
static bool calibrateOnGiven(Compilation &model, const ModelRequest &request) {
  if (request.calibrate.empty())
    return false;
  const LoadedInputs given =
      loadInputs(request.calibrate, inputShapes(model.floatNetwork()), 0,
                 request.listener);
  model.calibrate(given.samples, "given", hashesOf(given));
  return true;
}

void calibrate(Compilation &model, const ModelRequest &request) {
  if (calibrateOnGiven(model, request))
    return;
  if (request.steps && inputShapes(model.floatNetwork()).empty())
    model.calibrate(loadInputs({}, {}, request.steps, request.listener).samples,
                    "as --steps says");
  else
    model.calibrateOnExamples();
}

void calibrate(Compilation &model, const ModelRequest &request,
               const LoadedInputs &own) {
  if (calibrateOnGiven(model, request))
    return;
  std::map<std::string, Samples> some = own.samples;
  for (auto &[name, samples] : some) {
    if (samples.samples == 1)
      samples.steps =
          std::min(samples.steps, kOwnTicks * (samples.steps / own.ticks));
    samples.keep(std::min(samples.samples, kOwnSamples));
  }
  model.calibrate(some, "the first of the run itself");
}

void quantise(Compilation &model, const ModelRequest &request) {
  const size_t told = model.warnings().size();
  model.quantise(request.compile);
  const Warnings all = model.warnings();
  for (size_t i = told; i < all.size(); ++i)
    request.listener.warn(all[i]);
  checkSamples(model, model.calibrationSamples());
}

MappedProgram mapProgram(Compilation &model, const CompileOptions &options) {
  model.lower(options);
  MappedProgram mapped;
  mapped.program = model.emit();
  mapped.chip =
      Target::parse(mapped.program.target_yaml(), model.target().filename);
  return mapped;
}

} // namespace dendrolith::session
