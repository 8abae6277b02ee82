// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags and steps that `compile` and `run` share: from a model file to a
// calibrated, quantised, mapped network.

#ifndef NEURITE_RUNTIME_DRIVER_MODELFLAGS_H
#define NEURITE_RUNTIME_DRIVER_MODELFLAGS_H

#include "compiler/pipelines/Compile.h"
#include "runtime/Query.h"
#include "runtime/driver/Raster.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace neurite::driver {

struct ModelFlags {
  CompileOptions compile;
  nir::NirOptions nir;
  std::string weights;                // .npz for extern constants
  std::vector<std::string> calibrate; // X.npy or NAME=X.npy

  void addTo(CLI::App &command);
};

/// Those of --spikes, --input-bits, --min-cores and --rewrite that were given,
/// as text: a compiled program cannot follow them.
std::string givenModelFlags(const CLI::App &command);

/// Imports the model, prints warnings to standard error, and applies rewrites
/// of the float network.
std::unique_ptr<Compilation> importWith(const ModelFlags &flags,
                                        const std::string &path);

/// Reads "X.npy" (the only input) or "NAME=X.npy", one per input of the
/// network (or the .npz file of a study network, for what it has of it), all
/// with the same samples and root ticks: an input whose clock ticks `ticks`
/// times per root tick has that many steps for each. Samples with a query are
/// checked and have their label masked, with a warning.
struct LoadedInputs {
  std::map<std::string, Samples> samples;
  uint64_t ticks = 0;  // of the root clock
  bool single = false; // the files had no leading sample axis
  /// What must come out, if the input came with it, and from which file.
  std::optional<csr::Raster> expected;
  std::string expectedIn;
};
struct InputShape {
  std::string name;
  std::vector<uint64_t> shape;
  uint64_t ticks = 1; // per root tick
  std::optional<Query> query;
};
LoadedInputs loadInputs(const std::vector<std::string> &arguments,
                        const std::vector<InputShape> &inputs);
std::vector<InputShape> inputShapes(dend::NetworkOp network);
std::vector<InputShape> inputShapes(const image::Program &program);

/// Calibrates on the samples given by --calibrate, else on the first of `own`,
/// those of the run.
void calibrateWith(Compilation &model, const ModelFlags &flags,
                   const LoadedInputs &own);

} // namespace neurite::driver

#endif // NEURITE_RUNTIME_DRIVER_MODELFLAGS_H
