// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of a run: input values checked and turned into payloads.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INPUTS_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INPUTS_H

#include "runtime/host/Signals.h"
#include "simulator/functional/machine/Machine.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::sim {

/// A non-zero value the host injects; sent to machine.messages(source).
struct Injection {
  uint32_t source = 0;
  int64_t payload = 0;
  uint32_t units = 1; // messages to each in-axon that carry it together
};

/// Where a chip without steps takes events one by one, each of them has a step
/// of its own; what they are and in which order was found before
/// (EventOrder.h).
struct EventPlan {
  struct Event {
    static constexpr uint32_t nobody = UINT32_MAX;
    uint32_t source = nobody; // a tick without an event has one of nobody
    uint32_t tick = 0;        // root tick that it belongs to
    int64_t payload = 1;
  };
  std::vector<std::vector<Event>> events;  // by sample
  std::vector<std::vector<uint32_t>> lost; // sources by sample
  uint64_t places = 0;                     // of the queue
  uint64_t saturated = 0;                  // input values
};

/// The input of a run, one array per input of the program. It refers to the
/// machine and to the arrays, which both outlive it.
class Inputs {
public:
  /// Throws Error where an input is missing or unknown, or has another shape,
  /// or not as many samples and steps as the others. So it does where a value
  /// is not finite, or not 0 or 1 in a binary input (the first place is named).
  Inputs(const Machine &machine, const std::map<std::string, Samples> &values);

  uint64_t samples() const { return numSamples; }
  uint64_t ticks() const { return numTicks; }

  /// Takes events in that order from now on.
  void play(std::shared_ptr<const EventPlan> order) { plan = std::move(order); }
  const EventPlan *order() const { return plan.get(); }
  /// Ticks of the schedule: an event is one.
  uint64_t ticksOf(uint64_t sample) const {
    return plan ? plan->events[sample].size() : numTicks;
  }
  uint64_t stepsOf(uint64_t sample) const {
    return machine.stepsOf(ticksOf(sample));
  }
  /// The most steps of a sample, and those of all.
  uint64_t mostSteps() const;
  uint64_t allSteps() const;
  /// The user's tick of one of the schedule.
  uint64_t shownTick(uint64_t sample, uint64_t tick) const {
    return plan ? plan->events[sample][tick].tick : tick;
  }
  /// How many steps of the schedule end the same ticks as `steps` of events.
  uint64_t shownSteps(uint64_t sample, uint64_t steps) const;
  /// The neuron's spike that is taken in `step`; null where there is none.
  const EventPlan::Event *spikeAt(uint64_t sample, uint64_t step) const;

  /// Replaces `out` by what enters in `step` of a sample, by input and element.
  /// Values beyond an input's range saturate; their number is added to
  /// `saturated`.
  void at(uint64_t sample, uint64_t step, std::vector<Injection> &out,
          uint64_t &saturated) const;

  /// Whether every element of input `index` at that tick is -1, 0 or 1 in
  /// the model's own units (NeuroBench's test for accumulate-only layers).
  bool unitValued(uint32_t index, uint64_t sample, uint64_t tick) const;

private:
  uint32_t hostSources() const;

  const Machine &machine;
  std::shared_ptr<const EventPlan> plan;
  std::vector<const Samples *> arrays; // by index of input
  uint64_t numSamples = 0, numTicks = 0;
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_MACHINE_INPUTS_H
