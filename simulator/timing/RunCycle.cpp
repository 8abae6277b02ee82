// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/Run.h"
#include "simulator/functional/machine/OnTarget.h"
#include "simulator/timing/CycleEngine.h"
#include "simulator/timing/Transfer.h"
#include "simulator/timing/Worker.h"

#include <cstdlib>
#include <optional>

namespace neurite::sim {

RunResult runCycle(const image::Program &program, const Target &target,
                   const std::map<std::string, Samples> &values,
                   const RunOptions &options) {
  // Whatever can be refused is refused before a process is started.
  const Machine machine(program);
  checkFits(machine, target);
  const TimingSet &timing = target.timing(options.timing);
  Inputs inputs(machine, values);
  std::optional<Rows> rows;
  if (!options.verify)
    rows.emplace(program, machine, nullptr);

  RunResult result;
  inWorker(
      [&](const Progress &progress, const ByteSink &sink) {
        setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
        RunOptions inside = options;
        inside.progress = progress;
        send(simulate(program, machine, target, timing, inputs, inside,
                      rows ? &*rows : nullptr),
             sink);
      },
      [&](const ByteSource &source) { result = receive(source); },
      options.progress);
  return result;
}

} // namespace neurite::sim
