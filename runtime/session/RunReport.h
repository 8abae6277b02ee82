// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts of a run, as JSON for result.json and as text for people.

#ifndef DENDROLITH_RUNTIME_SESSION_RUNREPORT_H
#define DENDROLITH_RUNTIME_SESSION_RUNREPORT_H

#include "dialects/dend/Dend.h"
#include "runtime/session/Engines.h"
#include "runtime/session/Metrics.h"
#include "simulator/report/result/Result.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace dendrolith::session {

/// Adds what is known before the run: the model, and of an integer network how
/// it was compiled. Returns the first lines of the report.
std::string beginReport(Workload &workload, nlohmann::ordered_json &json);

/// Adds what the run took, on a chip its counts, times and energy, and last the
/// memory of this process. Returns the bills as text; none without a chip.
std::string addRun(const Workload &workload, const Engines &engines,
                   const Recording &recording, report::Result &result);

/// Fills `kind`, `biases` and `window` of each source of the `layers`, which
/// are those of the network.
void addShapes(nlohmann::ordered_json &layers, dend::NetworkOp network);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_RUNREPORT_H
