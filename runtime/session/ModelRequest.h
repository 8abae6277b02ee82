// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked of the compiler, and the steps from a model file to a
// calibrated network that `compile`, `run`, `tune` and `export` share.

#ifndef DENDROLITH_RUNTIME_SESSION_MODELREQUEST_H
#define DENDROLITH_RUNTIME_SESSION_MODELREQUEST_H

#include "compiler/pipelines/Compile.h"
#include "runtime/session/ModelInputs.h"

#include <memory>
#include <string>
#include <vector>

namespace dendrolith::session {

struct ModelRequest {
  CompileOptions compile;
  ImportOptions import;
  /// Archive (.npz) with the arrays of extern constants.
  std::string weights;
  /// Samples that set the number ranges: X.npy or NAME=X.npy.
  std::vector<std::string> calibrate;
  /// Root ticks of a run of a network without inputs; 0: not said.
  uint64_t steps = 0;
  /// Rounds in which the mapping is refined on the cycle engine; 0 = none.
  unsigned mapVerify = 0;
  Listener listener;
};

/// Imports the model, tells the listener of warnings, and applies rewrites of
/// the float network. Throws Error.
std::unique_ptr<Compilation> importModel(const ModelRequest &request,
                                         const std::string &path);

/// The inputs of a run of `model`, as loadInputs() reads them; a model that is
/// complete may bring its own in its file, `path`. Throws Error.
LoadedInputs loadRunInputs(Compilation &model, const std::string &path,
                           const std::vector<std::string> &inputs,
                           uint64_t steps, const Listener &listener);

/// A model and the samples that it is to be run on.
struct LoadedModel {
  std::unique_ptr<Compilation> compilation;
  LoadedInputs inputs;
};

/// importModel() and loadRunInputs(). Throws Error.
LoadedModel loadModel(const ModelRequest &request, const std::string &path,
                      const std::vector<std::string> &inputs);

/// Calibrates on the samples of `request`, else on the first of `own`, those of
/// the run. Throws Error.
void calibrate(Compilation &model, const ModelRequest &request,
               const LoadedInputs &own);

/// Calibrates where there is no run: on the samples of `request`, else on those
/// that came with the model, if there are any. Throws Error.
void calibrate(Compilation &model, const ModelRequest &request);

/// Quantises for the chip of `request` and tells the listener of warnings.
/// Throws Error, also where the inputs of the result cannot carry the samples
/// of the calibration: a run would refuse them.
void quantise(Compilation &model, const ModelRequest &request);

/// A program and the chip that it is for.
struct MappedProgram {
  image::Program program;
  Target chip;
};

/// Maps a quantised network; `options` may ask for another mapping than
/// quantise() was told of. Throws Error.
MappedProgram mapProgram(Compilation &model, const CompileOptions &options);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_MODELREQUEST_H
