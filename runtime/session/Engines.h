// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A workload on one of the engines.

#ifndef DENDROLITH_RUNTIME_SESSION_ENGINES_H
#define DENDROLITH_RUNTIME_SESSION_ENGINES_H

#include "runtime/session/Workload.h"

#include "runtime/session/Operations.h"
#include "runtime/session/Recording.h"
#include "simulator/Run.h"

#include <memory>
#include <optional>
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

/// A compiled program in the functional engine that takes one sample in pieces,
/// without an end.
class SteppedRun {
public:
  /// Runs the next steps, those of the request's inputs, or with `anew` the
  /// first ones of another sample; the first request says of which program.
  /// Throws Error, and has run nothing then.
  std::vector<sim::OutputData> run(const RunRequest &request, bool anew);
  uint64_t saturated() const { return stepper ? stepper->saturated() : 0; }

private:
  std::shared_ptr<Compilation> model; // null of an image
  image::Program program;             // without its tables
  std::optional<sim::FunctionalProgram> engine;
  std::optional<sim::FunctionalProgram::Stepper> stepper;
};

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_ENGINES_H
