// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/FunctionalProgram.h"

#include "runtime/host/Heap.h"
#include "simulator/FunctionalEngine.h"
#include "simulator/functional/machine/OnTarget.h"
#include "simulator/ranks/Exchange.h"
#include "simulator/ranks/RankTraffic.h"
#include "simulator/record/Collect.h"

#include <optional>

namespace dendrolith::sim {

struct FunctionalProgram::Parts {
  Parts(const image::Program &program, const Target &target,
        image::Program *release, unsigned shares, CoreShare own)
      : target(target), statistics(program.statistics()),
        limited(LimitedTraffic::of(program, target)),
        machine(program, Machine::Lists::Left),
        rows(program, fitting(machine, target),
             shareCores(program, own, shares), release) {}

  static const Machine &fitting(const Machine &machine, const Target &target) {
    checkFits(machine, target);
    return machine;
  }

  Target target;
  image::ModelStatistics statistics;
  // Read before the rows, which may release the program's tables.
  const std::unique_ptr<const LimitedTraffic> limited;
  const Machine machine;
  const RowShares rows;
};

static CoreShare allCores(const image::Program &program) {
  return {0, static_cast<uint32_t>(program.cores_size())};
}

FunctionalProgram::FunctionalProgram(const image::Program &program,
                                     const Target &target, unsigned shares)
    : parts(std::make_unique<Parts>(program, target, nullptr, shares,
                                    allCores(program))) {}
FunctionalProgram::FunctionalProgram(image::Program *program,
                                     const Target &target, unsigned shares)
    : FunctionalProgram(program, target, shares, allCores(*program)) {}
FunctionalProgram::FunctionalProgram(image::Program *program,
                                     const Target &target, unsigned shares,
                                     CoreShare own)
    : parts(std::make_unique<Parts>(*program, target, program, shares, own)) {
  // The tables of the image took many small pieces.
  returnFreed();
}
FunctionalProgram::~FunctionalProgram() = default;

uint64_t FunctionalProgram::synapseBytes() const { return parts->rows.bytes(); }

RunResult FunctionalProgram::run(const std::map<std::string, Samples> &values,
                                 const RunOptions &options) const {
  if (options.ranks && options.ranks->size() > 1)
    return runTogether(values, options);
  const Machine &machine = parts->machine;
  Inputs inputs(machine, values);
  Recorder recorder(machine, options.traces, inputs.samples(), inputs.ticks(),
                    options.spikes, options.stores, parts->rows.size());
  // The counts of a single sample are those of the run.
  std::optional<EmissionCosts> costs;
  if (inputs.samples() > 1)
    costs.emplace(machine, parts->target, parts->rows);
  FunctionalEngine engine(machine, parts->rows, inputs, recorder, options,
                          costs ? &*costs : nullptr, parts->limited.get());
  EventCounter events = engine.run();
  return collect({parts->statistics, parts->target, machine, inputs,
                  parts->rows, events, engine.stepLimits(), recorder});
}

/// The same with other processes, each of which has the messages to its cores.
RunResult
FunctionalProgram::runTogether(const std::map<std::string, Samples> &values,
                               const RunOptions &options) const {
  const Machine &machine = parts->machine;
  Ranks &ranks = *options.ranks;
  Inputs inputs(machine, values);
  // What a process has of an output goes to the first, not into a file.
  Recorder recorder(machine, options.traces, inputs.samples(), inputs.ticks(),
                    options.spikes, {}, parts->rows.size());
  if (options.ready)
    options.ready();
  RankTraffic traffic(ranks, parts->rows, machine.sources());
  std::optional<EmissionCosts> costs;
  if (inputs.samples() > 1)
    traffic.onFirst([&] { costs.emplace(machine, parts->target, traffic); });
  FunctionalEngine engine(machine, parts->rows, inputs, recorder, options,
                          costs ? &*costs : nullptr, parts->limited.get());
  EventCounter events = engine.run();
  gather(ranks, recorder, inputs.samples());
  RunResult result;
  traffic.onFirst([&] {
    result = collect({parts->statistics, parts->target, machine, inputs,
                      traffic, events, engine.stepLimits(), recorder});
  });
  return result;
}

RunResult runFunctional(const image::Program &program, const Target &target,
                        const std::map<std::string, Samples> &values,
                        const RunOptions &options) {
  return FunctionalProgram(program, target,
                           sharesWorth(program, values, options.threads))
      .run(values, options);
}

} // namespace dendrolith::sim
