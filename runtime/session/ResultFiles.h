// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run's outcome as the files of its folder.

#ifndef DENDROLITH_RUNTIME_SESSION_RESULTFILES_H
#define DENDROLITH_RUNTIME_SESSION_RESULTFILES_H

#include "runtime/arrays/NpzFile.h"
#include "runtime/host/OutputDirectory.h"
#include "runtime/session/RunRequest.h"
#include "runtime/session/Workload.h"
#include "simulator/options/RunOptions.h"

namespace dendrolith::session {

// Where outputs and traces go that are too long for memory: the answer of a run
// and its traces straight into the files that its result will have, other
// outputs into files without a name.

/// The first such run of a workload is the one whose result is written; those
/// that it is compared with are `further` ones. The workload outlives the
/// store.
sim::OutputStore longOutputs(const Workload &workload, bool further);

/// For the traces of that first run, which the `writers` record: `file` is
/// where they went, and null where nobody asks for a folder or they are
/// compared with others in memory. It outlives the store, too.
sim::TraceStore longTraces(const Workload &workload, NpzFile::Writers writers,
                           std::shared_ptr<NpzFile> &file);

/// Writes outputs, predicted classes, traces, spikes and tables.json, and last
/// result.json, which has the SHA-256 of each: a folder that has one is
/// complete. Puts into the outcome's result how long that took and what memory
/// the process has had by then.
void writeResult(RunOutcome &outcome, OutputDirectory &out,
                 nlohmann::ordered_json record = nullptr);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_RESULTFILES_H
