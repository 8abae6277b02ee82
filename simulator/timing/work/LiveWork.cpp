// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/work/LiveWork.h"

#include "simulator/events/EventCounter.h"
#include "targets/loader/chip/Sections.h"

#include <algorithm>

namespace dendrolith::sim {

uint64_t LiveWork::Gathered::take(WorkPiece *piece) {
  uint64_t sum = 0;
  if (piece) {
    piece->clear();
    std::sort(touched.begin(), touched.end());
  }
  for (uint32_t kind : touched) {
    if (piece)
      piece->emplace_back(kind, amounts[kind]);
    sum = plus(sum, times.of(kind, amounts[kind]));
    amounts[kind] = 0;
  }
  touched.clear();
  return sum;
}

LiveWork::LiveWork(const Machine &machine, const Target &target,
                   const CoreTimings &timings, const Inputs &inputs,
                   Recorder &recorder, const Rows *rows,
                   const EmissionCosts *costs, WorkRecord *record,
                   const LimitedTraffic *limited)
    : state(machine, rows ? rows->layout() : layoutOf(machine)),
      events(machine, costs), limits(limited),
      counts(machine.cores().size() + 1), machine(machine), target(target),
      inputs(inputs), recorder(recorder), rows(rows), record(record) {
  if (!rows)
    shadow = std::make_unique<Shadow>(machine);
  for (uint32_t core = 0; core < machine.cores().size(); ++core)
    gathered.emplace_back(machine, core, target, timings.of(core));
}

/// Adds the values that an emission causes. With --verify they wait for the
/// messages to be served.
void LiveWork::emit(uint32_t endpoint, uint32_t source, int64_t payload,
                    uint64_t step, uint32_t units) {
  limits.emit(source, step, units);
  if (serial)
    serial->emitted(endpoint, source);
  if (rows)
    rows->send(source, payload, step, state);
  if (sent && endpoint < machine.cores().size())
    sent->push_back({source, payload});
}

void LiveWork::hear(const std::vector<Injection> &emitted, uint64_t step) {
  for (const Injection &each : emitted) {
    limits.emit(each.source, step);
    rows->send(each.source, each.payload, step, state);
  }
}

void LiveWork::hearHost(uint64_t sample, uint64_t step) {
  uint64_t saturated = 0; // which the host's own process counts
  inputs.at(sample, step, injections, saturated);
  for (const Injection &each : injections)
    rows->send(each.source, each.payload, step, state);
}

/// The values of a step's updates depend on nothing that happens in the step,
/// so all groups are visited at once. When their messages leave is then a
/// matter of the stream and the port.
uint64_t LiveWork::update(uint32_t core, uint64_t sample, uint64_t step,
                          MessageStream &stream) {
  limits.closeBefore(sample, step);
  recorder.finishSteps(sample, step);
  bool any = false;
  const Machine::Core &of = machine.cores()[core];
  for (uint32_t g = of.firstGroup; g < of.firstGroup + of.groups; ++g) {
    uint64_t tick = 0;
    const Machine::Group &group = machine.groups()[g];
    const bool updates = machine.tickAt(group.schedule, step, ticks(), tick);
    if (!updates && !machine.sendsAt(group, step, ticks(), tick))
      continue;
    visit(core, g, sample, tick, step, /*more=*/!updates, stream);
    any = true;
  }
  const uint64_t behind = gathered[core].take(record ? &piece : nullptr);
  if (record && any)
    record->endStep(core, piece);
  return behind;
}

/// Visits a group: finds values, counts, and the work between its messages.
void LiveWork::visit(uint32_t core, uint32_t g, uint64_t sample, uint64_t tick,
                     uint64_t step, bool more, MessageStream &stream) {
  const Machine::Group &group = machine.groups()[g];
  if (more)
    sendUnits(state, g, result);
  else
    updateGroup(state, g, tick, step, result, /*parts=*/group.micro != nullptr);
  if (shadow && more)
    shadow->sendUnits(g, step, result);
  else if (shadow)
    shadow->visit(g, tick, step, result);
  events.update(g, tick, result);
  recorder.record(sample, g, tick, state, result, more);
  CoreCounts &counted = counts[core];
  counted[Counter::UpdatesActive] += result.active;
  counted[Counter::UpdatesInactive] += result.inactive;
  countWork(counted, result.work, result.issued);

  Gathered &work = gathered[core];
  const uint32_t program = work.firstOf[g - machine.cores()[core].firstGroup];
  const std::vector<uint8_t> &came = result.visit.came;
  uint64_t activeBefore = 0, before = 0; // up to the last neuron looked at
  auto reach = [&](uint64_t active, uint64_t neurons) {
    work.add(work::Active, active - activeBefore);
    work.add(work::Inactive, (neurons - active) - (before - activeBefore));
    for (size_t part = 0; part * group.count < came.size(); ++part) {
      const uint8_t *row = came.data() + part * group.count;
      uint64_t runs = 0;
      for (uint64_t n = before; n < neurons; ++n)
        runs += row[n];
      work.add(program + static_cast<uint32_t>(part), runs);
    }
    activeBefore = active;
    before = neurons;
  };
  auto value = result.hostMessages.begin();
  auto sendValues = [&](uint64_t end) {
    for (; value != result.hostMessages.end() && value->neuron < end; ++value) {
      reach(value->active, uint64_t(value->neuron) + 1);
      MessageStream::Burst burst;
      burst.work = work.take(record ? &piece : nullptr);
      burst.payload = value->value;
      burst.flits =
          flitsOf(target.mesh, machine.outputs()[value->output].payloadBits);
      stream.add(burst);
      if (record)
        record->sendToHost(core, piece, value->output);
    }
  };
  // Each neuron sends its spikes to cores, and then its values to the host.
  for (const Emission &emission : result.emissions) {
    const SpikeForm form = spikeForm(group, emission.source);
    ++counted[form.counter];
    sendValues(emission.neuron);
    reach(emission.active, uint64_t(emission.neuron) + 1);
    work.add(work::Emission, 1);
    const uint32_t source = group.sourceOf(emission.neuron, emission.source);
    emit(core, source, emission.value, step);
    MessageStream::Burst burst;
    burst.to = machine.messages(source);
    if (burst.to.size()) {
      burst.work = work.take(record ? &piece : nullptr);
      burst.payload = emission.value;
      burst.graded = form.graded;
      burst.flits = flitsOf(target.mesh, form.payloadBits);
      stream.add(burst);
      if (record)
        record->send(core, piece, source);
    }
    // Its values to the host follow the last of its spikes.
    if (&emission == &result.emissions.back() ||
        (&emission)[1].neuron != emission.neuron)
      sendValues(uint64_t(emission.neuron) + 1);
  }
  sendValues(group.count);
  reach(result.active, group.count);
}

void LiveWork::inject(uint64_t sample, uint64_t step, MessageStream &stream) {
  inputs.at(sample, step, injections, events.saturatedInputs);
  events.inject(inputs, sample, step, injections);
  if (shadow)
    shadow->inject(injections, step);
  // Injections come in order of inputs, so that the search goes on at the
  // input of the one before.
  const std::vector<Machine::Input> &all = machine.inputs();
  size_t at = 0;
  for (const Injection &injection : injections) {
    while (injection.source - all[at].source >= all[at].sources())
      ++at;
    MessageStream::Burst burst;
    burst.to = machine.messages(injection.source);
    burst.payload = all[at].unary ? 1 : injection.payload;
    burst.flits = flitsOf(target.mesh, all[at].payloadBits);
    burst.graded = all[at].graded;
    counts.back()[Counter::Inputs] += injection.units;
    emit(static_cast<uint32_t>(machine.cores().size()), injection.source,
         injection.payload, step, injection.units);
    for (uint32_t u = 0; burst.to.size() && u < injection.units; ++u)
      stream.add(burst);
    if (record && burst.to.size())
      record->inject(injection.source, injection.units);
  }
  if (record)
    record->endInjections();
}

void LiveWork::endSample(uint64_t sample) {
  state.reset();
  if (shadow)
    shadow->reset();
  recorder.finishSteps(sample, machine.stepsOf(ticks()));
  limits.endSample(sample);
  events.endSample(sample, ticks());
}

} // namespace dendrolith::sim
