// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A subject on one of the engines.

#ifndef NEURITE_RUNTIME_DRIVER_ENGINES_H
#define NEURITE_RUNTIME_DRIVER_ENGINES_H

#include "runtime/driver/Subject.h"

#include "runtime/driver/Recording.h"
#include "simulator/Run.h"

#include <string>
#include <vector>

namespace neurite::driver {

class Engines {
public:
  explicit Engines(Subject &subject) : subject(subject), flags(subject.flags) {}

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

  Subject &subject;
  const RunFlags &flags;
};

} // namespace neurite::driver

#endif // NEURITE_RUNTIME_DRIVER_ENGINES_H
