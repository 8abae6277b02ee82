// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run shows that makes its numbers doubtful although nothing failed.

#ifndef DENDROLITH_RUNTIME_SESSION_RUNCHECKS_H
#define DENDROLITH_RUNTIME_SESSION_RUNCHECKS_H

#include "runtime/session/Recording.h"
#include "runtime/session/Workload.h"

#include <nlohmann/json.hpp>

namespace dendrolith::session {

/// Looks at what an engine returned (`run`, empty where there is no chip) and
/// at `result`, what result.json has of it. WARNINGS.md explains each warning.
Warnings checkRun(const Workload &workload, const sim::RunResult &run,
                  const Recording &recording,
                  const nlohmann::ordered_json &result);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_RUNCHECKS_H
