// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A workload on one of the engines.

#ifndef NEURITE_RUNTIME_SESSION_ENGINES_H
#define NEURITE_RUNTIME_SESSION_ENGINES_H

#include "runtime/session/Workload.h"

#include "runtime/session/Recording.h"
#include "simulator/Run.h"

#include <string>
#include <vector>

namespace neurite::session {

class Engines {
public:
  explicit Engines(Workload &workload)
      : workload(workload), flags(workload.flags) {}

  /// Once on a chip: it takes the program's tables.
  Recording run(const std::string &engine,
                const std::vector<sim::TraceRequest> &traces);

  /// --verify beside the cycle engine's own check: the whole run again in the
  /// reference interpreter, every output and trace equal. Throws Error.
  void verify(const Recording &recording,
              const std::vector<sim::TraceRequest> &traces);

  sim::RunResult result;  // of a chip
  double wallPrepare = 0; // seconds

private:
  Recording interpret(bool real, const std::vector<sim::TraceRequest> &traces,
                      const std::function<void(uint64_t, uint64_t)> &progress);

  Workload &workload;
  const RunRequest &flags;
};

} // namespace neurite::session

#endif // NEURITE_RUNTIME_SESSION_ENGINES_H
