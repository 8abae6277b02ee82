// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays that a run or a calibration feeds to a model's inputs.

#ifndef DENDROLITH_RUNTIME_SESSION_MODELINPUTS_H
#define DENDROLITH_RUNTIME_SESSION_MODELINPUTS_H

#include "dialects/dend/Dend.h"
#include "runtime/host/Query.h"
#include "runtime/image/Program.h"
#include "runtime/session/Listener.h"
#include "runtime/session/Raster.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::session {

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
/// their ids (runtime/arrays/LoadTokens.h). Samples with a query are
/// checked and have their label masked, of which the listener is warned. A
/// network without inputs runs for `steps` root ticks instead, under the name
/// kNoInput. Throws Error.
LoadedInputs loadInputs(const std::vector<std::string> &arguments,
                        const std::vector<InputShape> &inputs, uint64_t steps,
                        const Listener &listener);

/// The SHA-256 of the file of each input.
std::map<std::string, std::string> hashesOf(const LoadedInputs &inputs);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_MODELINPUTS_H
