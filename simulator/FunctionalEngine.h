// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engine without a clock: it takes steps in order, and in each delivers
// what the step before has sent, and then updates the scheduled groups.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONALENGINE_H
#define DENDROLITH_SIMULATOR_FUNCTIONALENGINE_H

#include "runtime/host/Workers.h"
#include "simulator/events/EventCounter.h"
#include "simulator/events/StepLimits.h"
#include "simulator/functional/machine/Bands.h"
#include "simulator/functional/machine/CompileGroups.h"
#include "simulator/functional/rows/RowShares.h"
#include "simulator/options/RunOptions.h"
#include "simulator/ranks/Exchange.h"
#include "simulator/record/Recorder.h"

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace dendrolith::sim {

class FunctionalEngine {
public:
  /// All of them outlive it. `costs` is null where no sample is counted by
  /// itself, and `limited` where the target limits no step.
  FunctionalEngine(const Machine &machine, const RowShares &rows,
                   const Inputs &inputs, Recorder &recorder,
                   const RunOptions &options, const EmissionCosts *costs,
                   const LimitedTraffic *limited);

  /// Runs all samples. A sample goes to the thread that is free, which shows
  /// nowhere: samples share nothing, and counts add up in any order. Where each
  /// sample has several threads or processes, one runs after the other.
  EventCounter run();
  const StepLimits &stepLimits() const { return limits; }

private:
  /// What a step sends: sources that emit 1, and what is not as plain.
  struct Emitted {
    std::vector<uint32_t> spikes;
    std::vector<Injection> values;
    void clear() {
      spikes.clear();
      values.clear();
    }
    void append(const Emitted &other);
    /// All of it, in `to`.
    void copyTo(std::vector<Injection> &to) const;
  };
  /// What the threads of one sample do by themselves, one for each share of the
  /// cores. The first one counts what it does where the run is counted.
  struct SharePart {
    GroupUpdate update;
    BandUpdate band;
    std::optional<EventCounter> events; // of this sample
    Emitted emitted;
  };
  struct Run {
    Run(const Machine &machine, const RowShares &rows,
        const EmissionCosts *costs, const LimitedTraffic *limited)
        : state(machine, rows.layout(), rows.allCores()),
          events(machine, costs), counted(limited), parts(rows.size()),
          workers(static_cast<unsigned>(rows.size())) {}
    State state;
    EventCounter events;
    StepLimits counted;
    std::vector<SharePart> parts; // by share
    Workers workers;
    std::vector<Injection> injections; // in a step
    Emitted emitted;
    std::vector<Injection> told; // memory for what other processes hear
  };

  void work();
  /// Delivers to the cores of a share all that a step has sent.
  static void deliver(const Emitted &emitted, uint64_t step, const Rows &rows,
                      State &state);
  static void count(uint64_t sample, uint64_t step, const Emitted &emitted,
                    StepLimits &counted);
  void runSample(uint64_t sample, Run &run);
  /// Whether this process counts for all.
  bool first() const { return !exchange || options.ranks->first(); }
  /// While what the other processes have emitted in `step` is on its way, adds
  /// up what this one and the host have; the rest is left in `run.emitted`.
  void hear(uint64_t sample, uint64_t step, Run &run);
  /// A group, or a band of several.
  struct Visit {
    uint32_t firstGroup = 0, groups = 1;
    const Band *band = nullptr;
  };
  /// Finds bands, and which visits each step has.
  void planVisits();
  /// Updates the groups of a share in a step.
  void updateShare(uint64_t sample, uint64_t step, uint32_t share, Run &run);
  void visitGroup(uint64_t sample, uint64_t step, uint32_t share,
                  uint32_t group, Run &run);
  /// False where its groups have to be visited one by one.
  bool visitBand(uint64_t sample, uint64_t step, uint32_t share,
                 const Band &band, Run &run);
  void report(uint64_t steps, uint64_t all);

  const Machine &machine;
  const RowShares &rows;
  const Inputs &inputs;
  Recorder &recorder;
  const RunOptions &options;
  const EmissionCosts *costs;
  const LimitedTraffic *limited;
  const std::shared_ptr<const CompiledGroups> compiled;
  std::optional<Exchange> exchange;     // where there are other processes
  std::vector<std::vector<Band>> bands; // by share
  // By share and by step modulo period.
  std::vector<std::vector<std::vector<Visit>>> visitsAt;
  std::atomic<uint64_t> nextSample{0};
  std::mutex mutex; // guards what follows
  EventCounter total;
  StepLimits limits;
  std::exception_ptr failure;
  uint64_t done = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONALENGINE_H
