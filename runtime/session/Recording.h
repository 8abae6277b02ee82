// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every engine leaves behind: outputs and traces by logical tick.

#ifndef DENDROLITH_RUNTIME_SESSION_RECORDING_H
#define DENDROLITH_RUNTIME_SESSION_RECORDING_H

#include "compiler/pipelines/Compile.h"
#include "runtime/arrays/Npy.h"
#include "runtime/arrays/NpzFile.h"
#include "runtime/host/Content.h"
#include "simulator/Run.h"
#include "simulator/record/Traces.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith::session {

struct Recording {
  uint64_t samples = 0, ticks = 0; ///< ticks are those of the root clock
  /// Arrays (samples, ticks of the population's clock, *shape).
  std::vector<sim::OutputData> outputs;
  /// By the text of the request: (samples, ticks of the population's clock,
  /// values of the population).
  std::map<std::string, Array> traces;
  /// Where the traces are that the run has written, all of them.
  std::shared_ptr<NpzFile> traceFile;
  /// Every emission by sample, where it was asked for.
  std::vector<sim::SpikeList> spikes;
};

/// What there is to trace of the populations of a network, in its order.
std::vector<sim::Traceable> traceablesOf(dend::NetworkOp network);

/// Reads "NODE[:STATE]" texts, separated by commas, as requests. A name may
/// hold
/// "\,", "\:" and "\\" for a comma, a colon and a backslash. Throws Error.
std::vector<sim::TraceRequest> parseTraces(const std::string &text);

/// The requests, with NAME.0, NAME.1, ... in place of a population that the
/// compiler split into parts.
std::vector<sim::TraceRequest>
tracesOfParts(const std::vector<sim::TraceRequest> &requests,
              const image::Program &program);

/// Takes outputs, traces and spikes out of an engine's result, which keeps all
/// else: these may be most of the memory of a run.
Recording recordingOf(sim::RunResult &&result);

/// outputs.npy (or outputs.npz when there are several), traces.npz, spikes.npz
/// as (file name, content) from the recording, which outlives it; `single`
/// drops the sample axis.
std::vector<std::pair<std::string, Content>>
recordingFiles(const Recording &recording, bool single);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_RECORDING_H
