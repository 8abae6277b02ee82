// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run is about: a program image or a model, compiled or not, with its
// inputs.

#ifndef DENDROLITH_RUNTIME_SESSION_WORKLOAD_H
#define DENDROLITH_RUNTIME_SESSION_WORKLOAD_H

#include "compiler/pipelines/Compile.h"
#include "runtime/image/Program.h"
#include "runtime/image/ProgramFile.h"
#include "runtime/session/MapVerify.h"
#include "runtime/session/ModelRequest.h"
#include "runtime/session/RunRequest.h"
#include "simulator/functional/machine/CoreShares.h"
#include "targets/loader/Target.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::session {

struct Workload {
  /// Loads, and compiles a model unless the float engine runs it. Throws Error.
  explicit Workload(const RunRequest &request);

  /// The chip as the image has it. Only its cost tables lie beside a file,
  /// which an image names and does not choose.
  const Target &chip() const;
  /// How the first output, which is the answer, is decoded; may be empty.
  std::string decode() const;

  const RunRequest &request;
  /// Absent where an image is run alone; RunRequest::prepared shares it.
  std::shared_ptr<Compilation> model;
  std::unique_ptr<Compilation> origin; ///< what an image was compiled from
  image::Program program;
  LoadedInputs inputs;
  /// How the mapping was refined, where that was asked for.
  std::optional<VerifiedMapping> verified;
  std::string programDigest;
  /// The cores of each process, where several run an image together.
  std::vector<sim::CoreShare> rankCores;
  /// How many words of synapse memory each core uses, as memoryOf() has it.
  std::vector<uint64_t> words;
  double wallLoad = 0, wallCompile = 0; ///< seconds

  /// Once the processes of a run agree: the first one gets all words.
  void gatherWords(Ranks &ranks);

private:
  std::string chipFile; ///< of a target that was given for an image
  /// What chip() returns, once it was asked for: its text takes time to read.
  mutable std::optional<Target> known;
  void loadProgramImage();
  /// Deals the cores of an image to processes. Returns those whose synapses
  /// this one reads.
  CoreSet dealCores(const ProgramFile &file);
  void useTarget();
  void loadModel();
  void usePrepared();
  void loadOrigin();
  void compile();
};

/// What processes that run an image together must have in common.
std::vector<Common> commonOf(const Workload &workload);

/// Whether an engine runs images and counts what a chip does.
bool onChip(const std::string &engine);

// A model that is imported and compiled once and run often.

struct Prepared {
  std::shared_ptr<Compilation> model;
  /// None where only the float network was asked for.
  std::optional<image::Program> program;
  std::string programDigest;
  /// What import and compiler warned of, which each run's result repeats.
  Warnings imported, compiled;
};

/// Imports a model, without its program.
Prepared loadOnce(ModelRequest request, const std::string &path);

/// Imports, calibrates on the samples of the request, quantises and maps. The
/// listener of the request hears of warnings, too. Throws Error.
Prepared compileOnce(ModelRequest request, const std::string &path);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_WORKLOAD_H
