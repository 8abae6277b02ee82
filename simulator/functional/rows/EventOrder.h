// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which a chip without steps takes events. An input comes as soon
// as the queue has a place, a spike of a neuron waits behind those before it,
// the lowest first, and a tick ends when nothing waits. What finds no place is
// lost. An input that reaches only ports behind a neuron's first, a time
// reference, waits for nobody.
//
// Behind an input that waits at least one event is taken before the next input
// comes, and the one that is taken keeps its place until it ends: so do ODIN
// and tinyODIN (tests/rtl/events.py).

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_EVENTORDER_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_EVENTORDER_H

#include "simulator/functional/machine/Inputs.h"
#include "simulator/functional/machine/Step.h"
#include "simulator/functional/rows/Rows.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace dendrolith::sim {

class EventQueue {
public:
  struct Event {
    uint32_t source = 0;
    int64_t payload = 1;
    bool passes = false;
  };
  /// What an event makes fire, the lowest first.
  using Take = std::function<const std::vector<uint32_t> &(const Event &)>;

  /// Spikes come back if it is `closed`.
  EventQueue(uint64_t places, bool closed) : places(places), closed(closed) {}

  /// Takes all of them and what they cause; `lost` gets spikes without a place.
  /// False where it does not end within `most` events.
  bool play(const std::vector<Event> &inputs, const Take &take, uint64_t most,
            std::vector<uint32_t> &lost);

private:
  uint64_t places;
  bool closed;
  std::deque<Event> waiting;
};

/// What the order of a program's events depends on beside its values.
class EventOrder {
public:
  /// Nothing where the chip has no queue. Reads the program's tables. Throws
  /// Error for more cores than one.
  static std::optional<EventOrder> of(const image::Program &program,
                                      const Target &target);

  /// Is called behind each visit of a group, with the number of the event.
  using See = std::function<void(uint32_t group, uint64_t event,
                                 const GroupUpdate &update)>;

  /// Takes the events of a tick, which begin at number `event`, and returns
  /// those that there were; `lost` gets spikes without a place. Throws Error
  /// for a tick whose events never end.
  std::vector<EventPlan::Event> tick(const Machine &machine, const Rows &rows,
                                     const std::vector<Injection> &given,
                                     uint64_t tick, uint64_t event,
                                     State &state, std::vector<uint32_t> &lost,
                                     const See &see) const;

  /// Runs all samples for the order alone.
  std::shared_ptr<const EventPlan>
  plan(const Machine &machine, const Rows &rows, const Inputs &inputs) const;

private:
  uint64_t places = 0;
  bool closed = false;      // some neuron has synapses to others
  std::vector<bool> passes; // by source of an input
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_ROWS_EVENTORDER_H
