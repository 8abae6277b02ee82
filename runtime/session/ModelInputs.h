// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays that a run or a calibration feeds to a model's inputs.

#ifndef DENDROLITH_RUNTIME_SESSION_MODELINPUTS_H
#define DENDROLITH_RUNTIME_SESSION_MODELINPUTS_H

#include "compiler/pipelines/Compile.h"
#include "dialects/dend/Dend.h"
#include "runtime/host/Query.h"
#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"
#include "runtime/session/Raster.h"
#include "targets/support/Error.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::session {

// What a session has to say while it works. It prints nothing itself: a command
// shows this on a terminal, a binding may drop it.

/// Takes how much of the work is done, and the whole of it.
using Progress = std::function<void(uint64_t done, uint64_t total)>;

/// Functions that are not set drop what they would be told.
struct Listener {
  /// Something that a user should know although nothing failed. The result of
  /// a run has it too.
  std::function<void(const Warning &warning)> onWarning;
  /// Something found on the way, as "Verified: ...": one line.
  std::function<void(const std::string &line)> onFinding;
  /// Work of this name begins. It ends when the function that is returned is
  /// destroyed.
  std::function<Progress(const std::string &work)> onWork;

  void warn(const Warning &warning) const {
    if (onWarning)
      onWarning(warning);
  }
  void find(const std::string &line) const {
    if (onFinding)
      onFinding(line);
  }
  Progress begin(const std::string &work) const {
    return onWork ? onWork(work) : [](uint64_t, uint64_t) {};
  }
};

struct InputShape {
  std::string name;
  std::vector<uint64_t> shape;
  uint64_t ticks = 1; ///< of its clock per root tick
  std::optional<Query> query = std::nullopt;
  bool tokens = false; ///< takes token ids, too
};
std::vector<InputShape> inputShapes(dend::NetworkOp network);
std::vector<InputShape> inputShapes(const image::Program &program);

struct LoadedInputs {
  std::map<std::string, Samples> samples;
  std::map<std::string, std::string> files; ///< where each input is from
  uint64_t ticks = 0;                       ///< of the root clock
  bool single = false; ///< the files had no leading sample axis
  /// What must come out, if the input came with it, and from which file.
  std::optional<study::Raster> expected;
  std::string expectedIn;
};

/// Reads "X.npy" (the only input) or "NAME=X.npy", one per input of the
/// network (or the .npz file of a study network, for what it has of it), all
/// with the same samples and root ticks: an input whose clock ticks `ticks`
/// times per root tick has that many steps for each. An input of tokens takes
/// their ids (runtime/arrays/LoadSamples.h). Samples with a query are
/// checked and have their label masked, of which the listener is warned. A
/// network without inputs runs for `steps` root ticks instead, under the name
/// kNoInput. Throws Error.
LoadedInputs loadInputs(const std::vector<std::string> &arguments,
                        const std::vector<InputShape> &inputs, uint64_t steps,
                        const Listener &listener);

/// The SHA-256 of the file of each input.
std::map<std::string, std::string> hashesOf(const LoadedInputs &inputs);

// Whether the inputs of a network of integers carry the values of samples. Only
// values of an input that was real have a scale and saturate.

using SamplesByInput = std::map<std::string, Samples>;

/// Throws Findings, one for each input with a value that is no event where
/// events go, or no integer of the range of an input of integers. Inputs of
/// which there are no samples pass.
void checkSamples(const image::Program &program, const SamplesByInput &all);

/// The same for the integer network of a model that is quantised.
void checkSamples(Compilation &model, const SamplesByInput &all);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_MODELINPUTS_H
