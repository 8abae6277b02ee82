// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run is about: a program image or a model, compiled or not, with its
// inputs.

#ifndef NEURITE_RUNTIME_DRIVER_SUBJECT_H
#define NEURITE_RUNTIME_DRIVER_SUBJECT_H

#include "runtime/driver/Run.h"

#include "compiler/pipelines/Compile.h"
#include "runtime/Program.h"
#include "runtime/driver/ModelFlags.h"
#include "targets/Target.h"

#include <memory>
#include <string>

namespace neurite::driver {

struct Subject {
  /// Loads, and compiles a model unless the float engine runs it. Throws Error.
  explicit Subject(const RunFlags &flags);

  /// As the image has it; only its cost tables lie beside a file, which an
  /// image names and does not choose.
  Target chip() const;
  /// How the first output, which is the answer, is decoded; may be empty.
  std::string decode() const;

  const RunFlags &flags;
  std::unique_ptr<Compilation> model, origin; // origin: of an image
  image::Program program;
  LoadedInputs inputs;
  std::string programDigest;
  double wallLoad = 0, wallCompile = 0; // seconds

private:
  void loadProgramImage();
  void loadModel();
  void loadOrigin();
  void compile();
};

/// Whether an engine runs images and counts what a chip does.
bool onChip(const std::string &engine);

} // namespace neurite::driver

#endif // NEURITE_RUNTIME_DRIVER_SUBJECT_H
