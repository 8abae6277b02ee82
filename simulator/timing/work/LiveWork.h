// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cores and host send, computed as the run goes: the machine with its
// state, what is counted and recorded of it, and, for --verify, the second
// machine beside it.

#ifndef DENDROLITH_SIMULATOR_TIMING_WORK_LIVEWORK_H
#define DENDROLITH_SIMULATOR_TIMING_WORK_LIVEWORK_H

#include "simulator/events/EventCounter.h"
#include "simulator/events/StepLimits.h"
#include "simulator/functional/machine/Inputs.h"
#include "simulator/functional/machine/Step.h"
#include "simulator/functional/rows/Rows.h"
#include "simulator/record/Recorder.h"
#include "simulator/timing/messages/ServiceTimes.h"
#include "simulator/timing/work/WorkRecord.h"
#include "simulator/timing/work/WorkSource.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith::sim {

// The second state that --verify keeps, in which the functional order runs
// beside the cycle engine. Its messages are delivered where they are emitted;
// those of the engine, when a core has been served them by the mesh. Both must
// hold the same integers at every barrier.

class Shadow {
public:
  explicit Shadow(const Machine &machine)
      : machine(machine), state(machine, layoutOf(machine)) {}

  void inject(const std::vector<Injection> &injections, uint64_t step);
  void send(uint32_t source, int64_t payload, uint64_t step);

  /// Visits the group, too. Throws Error when it emits something else.
  void visit(uint32_t group, uint64_t tick, uint64_t step,
             const GroupUpdate &theirs);
  /// The same for a step in which the group only sends units.
  void sendUnits(uint32_t group, uint64_t step, const GroupUpdate &theirs);

  /// Is called at the barrier of `step`. Throws Error naming core, accumulator
  /// and step of the first accumulator or state word that differs.
  void compare(const State &theirs, uint64_t sample, uint64_t step) const;

  void reset() { state.reset(); }

  /// Whether what neurons emit waits in a queue, from which it is sent.
  bool queues = false;

private:
  size_t wordAt(const State &theirs) const;
  void compareEmissions(uint32_t group, uint64_t step,
                        const GroupUpdate &theirs);
  std::string place(uint32_t accumulator) const;

  const Machine &machine;
  State state;
  GroupUpdate mine;
};

class LiveWork final : public WorkSource {
public:
  /// Values are accumulated at once by `rows`; where there are none, --verify
  /// is on, and they wait for the messages to be served. `record` and `limited`
  /// may be null.
  LiveWork(const Machine &machine, const Target &target,
           const CoreTimings &timings, const Inputs &inputs, Recorder &recorder,
           const Rows *rows, const EmissionCosts *costs, WorkRecord *record,
           const LimitedTraffic *limited);

  uint64_t samples() const override { return inputs.samples(); }
  uint64_t ticksOf(uint64_t sample) const override {
    return inputs.ticksOf(sample);
  }
  uint64_t update(uint32_t core, uint64_t sample, uint64_t step,
                  MessageStream &stream) override;
  void inject(uint64_t sample, uint64_t step, MessageStream &stream) override;
  void endSample(uint64_t sample) override;

  /// What other processes' cores have emitted in `step`, and, where the host is
  /// another's, what it sends: added up, but neither timed nor recorded here.
  void hear(const std::vector<Injection> &emitted, uint64_t step);
  void hearHost(uint64_t sample, uint64_t step);

  /// Where there are other processes, they get what this one's cores emit.
  std::vector<Injection> *sent = nullptr;

  State state;
  EventCounter events; // counts what was emitted
  StepLimits limits;
  std::unique_ptr<Shadow> shadow; // null without --verify
  std::vector<CoreCounts> counts; // by endpoint, what --verify saw arrive

private:
  /// The engine's work since the last message.
  class Gathered {
  public:
    Gathered(const Machine &machine, uint32_t core, const Target &target,
             const TimingSet &timing)
        : firstOf(kindsOfGroups(machine, core)),
          times(machine, core, target, timing), amounts(times.kinds()) {}
    void add(uint32_t kind, uint64_t amount) {
      if (!amount)
        return;
      if (!amounts[kind])
        touched.push_back(kind);
      amounts[kind] += amount;
    }
    /// Ends it, and returns how long it takes; `piece`, if there is one, gets
    /// what it was.
    uint64_t take(WorkPiece *piece);

    const std::vector<uint32_t> firstOf; // kind, by the core's group

  private:
    const WorkTimes times;
    std::vector<uint64_t> amounts; // by kind
    std::vector<uint32_t> touched;
  };
  void updateOrSend(uint32_t core, uint32_t group, uint64_t sample,
                    uint64_t tick, uint64_t step, bool more);
  void sendSpike(uint32_t core, const Machine::Group &group,
                 const Emission &emission, uint64_t step,
                 MessageStream &stream);
  void visit(uint32_t core, uint32_t group, uint64_t sample, uint64_t tick,
             uint64_t step, bool more, MessageStream &stream);
  /// A spike of a neuron of the core that has waited in the queue.
  void sendTaken(uint32_t core, uint64_t sample, uint64_t step,
                 MessageStream &stream);
  void emit(uint32_t endpoint, uint32_t source, int64_t payload, uint64_t step,
            uint32_t units = 1);

  const Machine &machine;
  const Target &target;
  const Inputs &inputs;
  Recorder &recorder;
  const Rows *rows;
  WorkRecord *record;
  std::vector<Gathered> gathered; // by core
  GroupUpdate result;
  WorkPiece piece;
  std::vector<Injection> injections;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_WORK_LIVEWORK_H
