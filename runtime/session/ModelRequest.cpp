// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/ModelRequest.h"

#include "runtime/arrays/Npy.h"

#include <algorithm>

namespace neurite::session {
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

} // namespace

std::unique_ptr<Compilation> importModel(const ModelRequest &request,
                                         const std::string &path) {
  auto model = std::make_unique<Compilation>(path, request.import,
                                             loadBindings(request.weights));
  for (const std::string &warning : model->warnings())
    request.listener.warn(warning);
  model->rewrite(request.compile);
  return model;
}

LoadedModel loadModel(const ModelRequest &request, const std::string &path,
                      const std::vector<std::string> &inputs) {
  LoadedModel model;
  model.compilation = importModel(request, path);
  std::vector<std::string> given = inputs;
  if (given.empty() && model.compilation->isComplete())
    given = {path};
  model.inputs = loadInputs(
      given, inputShapes(model.compilation->floatNetwork()), request.listener);
  return model;
}

/// Whether `request` has samples; calibrates on them.
static bool calibrateOnGiven(Compilation &model, const ModelRequest &request) {
  if (request.calibrate.empty())
    return false;
  model.calibrate(loadInputs(request.calibrate,
                             inputShapes(model.floatNetwork()),
                             request.listener)
                      .samples,
                  "given");
  return true;
}

void calibrate(Compilation &model, const ModelRequest &request) {
  if (!calibrateOnGiven(model, request))
    model.calibrateOnExamples();
}

void calibrate(Compilation &model, const ModelRequest &request,
               const LoadedInputs &own) {
  if (calibrateOnGiven(model, request))
    return;
  std::map<std::string, Samples> some = own.samples;
  for (auto &[name, samples] : some) {
    samples.samples = std::min(samples.samples, kOwnSamples);
    samples.values.resize(samples.samples * samples.steps * samples.width());
  }
  model.calibrate(some, "the first of the run itself");
}

MappedProgram mapProgram(Compilation &model, const CompileOptions &options) {
  model.lower(options);
  MappedProgram mapped;
  mapped.program = model.emit();
  mapped.chip =
      Target::parse(mapped.program.target_yaml(), model.target().filename);
  return mapped;
}

} // namespace neurite::session
