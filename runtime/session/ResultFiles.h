// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run's outcome as the files of its folder.

#ifndef DENDROLITH_RUNTIME_SESSION_RESULTFILES_H
#define DENDROLITH_RUNTIME_SESSION_RESULTFILES_H

#include "runtime/host/OutputDirectory.h"
#include "runtime/session/RunRequest.h"

namespace dendrolith::session {

/// Writes outputs, predicted classes, traces, spikes and tables.json, and last
/// result.json, which has the SHA-256 of each: a folder that has one is
/// complete. Puts into the outcome's result how long that took and what memory
/// the process has had by then.
void writeResult(RunOutcome &outcome, OutputDirectory &out);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_RESULTFILES_H
