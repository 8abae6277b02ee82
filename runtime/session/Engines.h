// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A workload on one of the engines.

#ifndef DENDROLITH_RUNTIME_SESSION_ENGINES_H
#define DENDROLITH_RUNTIME_SESSION_ENGINES_H

#include "runtime/session/Workload.h"

#include "runtime/session/Operations.h"
#include "runtime/session/Recording.h"
#include "simulator/Run.h"

#include <string>
#include <vector>

namespace dendrolith::session {

class Engines {
public:
  explicit Engines(Workload &workload)
      : workload(workload), request(workload.request) {}

  /// At most once on a chip, as such a run takes the program's tables.
  Recording run(const std::string &engine,
                const std::vector<sim::TraceRequest> &traces);

  /// Beside the cycle engine's own check, repeats the whole run in the
  /// reference interpreter: every output and trace must be equal. Throws Error.
  void verify(const Recording &recording,
              const std::vector<sim::TraceRequest> &traces);

  sim::RunResult result;    ///< of the run on a chip
  OperationSums operations; ///< of a float run whose result is kept
  double wallPrepare = 0;   ///< seconds

private:
  Recording interpret(bool real, const std::vector<sim::TraceRequest> &traces,
                      const Progress &progress);

  Workload &workload;
  const RunRequest &request;
  bool ran = false; // the run whose result is written
};

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_ENGINES_H
