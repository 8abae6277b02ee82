// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked of the compiler, and the steps from a model file to a
// calibrated network that `compile`, `run`, `sweep` and `export` share.

#ifndef NEURITE_RUNTIME_SESSION_MODELREQUEST_H
#define NEURITE_RUNTIME_SESSION_MODELREQUEST_H

#include "compiler/pipelines/Compile.h"
#include "runtime/session/ModelInputs.h"

#include <memory>
#include <string>
#include <vector>

namespace neurite::session {

struct ModelRequest {
  CompileOptions compile;
  nir::NirOptions nir;
  std::string weights;                // .npz for extern constants
  std::vector<std::string> calibrate; // X.npy or NAME=X.npy
};

/// Imports the model, prints warnings to standard error, and applies rewrites
/// of the float network. Throws Error.
std::unique_ptr<Compilation> importModel(const ModelRequest &request,
                                         const std::string &path);

/// Calibrates on the samples given by --calibrate, else on the first of `own`,
/// those of the run. Throws Error.
void calibrate(Compilation &model, const ModelRequest &request,
               const LoadedInputs &own);

} // namespace neurite::session

#endif // NEURITE_RUNTIME_SESSION_MODELREQUEST_H
