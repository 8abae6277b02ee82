// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/rows/EventOrder.h"

#include "runtime/image/Tables.h"
#include "targets/loader/Describe.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::sim {

// A tick with more events than this never ends.
static constexpr uint64_t kMostEvents = 1 << 20;

bool EventQueue::play(const std::vector<Event> &inputs, const Take &take,
                      uint64_t most, std::vector<uint32_t> &lost) {
  auto run = [&](const Event &event) {
    for (uint32_t source : take(event))
      if (closed && waiting.size() < places)
        waiting.push_back({source, 1, false});
      else if (closed)
        lost.push_back(source);
  };
  bool ready = true; // for an input, though others wait
  for (size_t next = 0; next < inputs.size() || !waiting.empty();) {
    if (next < inputs.size() && waiting.size() < places &&
        (ready || waiting.empty())) {
      ready = false;
      const Event &event = inputs[next++];
      if (!event.passes) {
        waiting.push_back(event);
        continue;
      }
      run(event);
    } else {
      run(waiting.front());
      waiting.pop_front();
      ready = true;
    }
    if (most-- == 0)
      return false;
  }
  return true;
}

namespace {

/// Whether all that a source reaches are ports behind the first.
class Ports {
public:
  explicit Ports(const image::Core &core)
      : core(core), axons(decodeInAxons(core.in_axons())),
        lists(decodeLists(core.synapses().lists())),
        weights(decodeI16(core.synapses().weights())),
        offsets(decodeU32(core.synapses().offsets())) {}

  bool isBehindFirst(const AxonTable &table, size_t source) const {
    bool any = false;
    for (uint32_t r = table.begin[source]; r < table.begin[source + 1]; ++r) {
      const InAxon &axon = axons[table.rows[r].axon];
      const SynapseList &list = lists[axon.list];
      for (uint32_t k = 0; k < list.count; ++k) {
        const uint32_t offset =
            list.kind == ListKind::Dense ? k : offsets[list.firstOffset + k];
        if (weights[list.first + k] == 0) // it stands between ports
          continue;
        if (portOf(axon.base + offset) == 0)
          return false;
        any = true;
      }
    }
    return any;
  }

private:
  uint32_t portOf(uint32_t accumulator) const {
    for (const image::Group &group : core.groups()) {
      if (!group.has_microcode())
        continue;
      uint32_t elements = 0;
      const auto &program = core.programs(int(group.microcode().program()));
      for (const auto &port : program.ports())
        elements += port.elements();
      if (accumulator - group.base() < group.count() * elements)
        return (accumulator - group.base()) % elements >=
               program.ports(0).elements();
    }
    return 0;
  }

  const image::Core &core;
  const std::vector<InAxon> axons;
  const std::vector<SynapseList> lists;
  const std::vector<int16_t> weights;
  const std::vector<uint32_t> offsets;
};

} // namespace

std::optional<EventOrder> EventOrder::of(const image::Program &program,
                                         const Target &target) {
  EventOrder order;
  order.places = queueOf(target);
  if (order.places == 0)
    return std::nullopt;
  if (program.schedule().period() != 1 || program.schedule().depth() > 2 ||
      program.cores_size() > 1)
    throw Error(fmt::format(
        "program: {} cores, {} steps for a tick and {} for the first, expected "
        "1, 1 and 2: '{}' takes events one by one; compile the model again",
        program.cores_size(), program.schedule().period(),
        program.schedule().depth(), target.name));
  for (const image::Core &core : program.cores()) {
    const Ports ports(core);
    for (const image::Input &input : program.inputs()) {
      const AxonTable table = decodeAxons(input.axons());
      for (size_t i = 0; i < table.sources(); ++i)
        order.passes.push_back(ports.isBehindFirst(table, i));
    }
    for (const image::Group &group : core.groups())
      order.closed = order.closed || !decodeAxons(group.axons()).rows.empty();
  }
  return order;
}

std::vector<EventPlan::Event>
EventOrder::tick(const Machine &machine, const Rows &rows,
                 const std::vector<Injection> &given, uint64_t tick,
                 uint64_t event, State &state, std::vector<uint32_t> &lost,
                 const See &see) const {
  std::vector<EventQueue::Event> inputs;
  for (const Injection &each : given)
    inputs.push_back({each.source, each.payload,
                      each.source < passes.size() && passes[each.source]});
  std::vector<EventPlan::Event> taken;
  std::vector<uint32_t> fired;
  GroupUpdate update;
  // Event number e is sent in step e and seen in the next one.
  auto take = [&](uint32_t source, int64_t payload) {
    if (source != EventPlan::Event::nobody)
      rows.send(source, payload, event, state);
    taken.push_back({source, static_cast<uint32_t>(tick), payload});
    fired.clear();
    for (uint32_t g = 0; g < machine.groups().size(); ++g) {
      updateGroup(state, g, event, event + 1, update);
      for (const Emission &each : update.emissions)
        fired.push_back(machine.groups()[g].sourceOf(each.neuron, each.source));
      see(g, event, update);
    }
    ++event;
  };
  if (given.empty())
    take(EventPlan::Event::nobody, 0);
  if (!EventQueue(places, closed)
           .play(
               inputs,
               [&](const EventQueue::Event &each) -> const auto & {
                 take(each.source, each.payload);
                 return fired;
               },
               kMostEvents, lost))
    throw Error(fmt::format(
        "tick {}: its spikes cause others without an end, {} events by now; "
        "weaken the synapses between neurons or raise thresholds",
        tick, taken.size()));
  return taken;
}

std::shared_ptr<const EventPlan> EventOrder::plan(const Machine &machine,
                                                  const Rows &rows,
                                                  const Inputs &inputs) const {
  auto plan = std::make_shared<EventPlan>();
  plan->places = places;
  plan->lost.resize(inputs.samples());
  State state(machine, rows.layout());
  std::vector<Injection> given;
  for (uint64_t sample = 0; sample < inputs.samples(); ++sample) {
    auto &events = plan->events.emplace_back();
    for (uint64_t t = 0; t < inputs.ticks(); ++t) {
      inputs.at(sample, t, given, plan->saturated);
      const auto taken = tick(machine, rows, given, t, events.size(), state,
                              plan->lost[sample],
                              [](uint32_t, uint64_t, const GroupUpdate &) {});
      events.insert(events.end(), taken.begin(), taken.end());
    }
    state.reset();
  }
  return plan;
}

} // namespace dendrolith::sim
