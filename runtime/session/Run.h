// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program image or a model on one of four engines, from code: nothing is
// printed and no file is written.

#ifndef DENDROLITH_RUNTIME_SESSION_RUN_H
#define DENDROLITH_RUNTIME_SESSION_RUN_H

#include "runtime/session/RunRequest.h"

namespace dendrolith::session {

/// Loads, compiles a model, runs and compares. Throws Error for bad input.
RunOutcome run(const RunRequest &request);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_RUN_H
