// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/work/LiveWork.h"

#include "simulator/events/EventCounter.h"
#include "targets/loader/chip/Sections.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

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
  if (shadow)
    shadow->queues = inputs.order();
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
  recorder.finishSteps(sample, inputs.shownSteps(sample, step));
  sendTaken(core, sample, step, stream);
  bool any = false;
  const Machine::Core &of = machine.cores()[core];
  for (uint32_t g = of.firstGroup; g < of.firstGroup + of.groups; ++g) {
    uint64_t tick = 0;
    const Machine::Group &group = machine.groups()[g];
    const uint64_t ticks = ticksOf(sample);
    const bool updates = machine.tickAt(group.schedule, step, ticks, tick);
    if (!updates && !machine.sendsAt(group, step, ticks, tick))
      continue;
    visit(core, g, sample, tick, step, /*more=*/!updates, stream);
    any = true;
  }
  const uint64_t behind = gathered[core].take(record ? &piece : nullptr);
  if (record && any)
    record->endStep(core, piece);
  return behind;
}

void LiveWork::sendTaken(uint32_t core, uint64_t sample, uint64_t step,
                         MessageStream &stream) {
  const EventPlan::Event *spike = inputs.spikeAt(sample, step);
  if (!spike)
    return;
  emit(core, spike->source, spike->payload, step);
  if (shadow)
    shadow->send(spike->source, spike->payload, step);
  MessageStream::Burst burst;
  burst.to = machine.messages(spike->source);
  burst.payload = spike->payload;
  if (burst.to.size() == 0)
    return;
  burst.flits = flitsOf(target.mesh, 1);
  stream.add(burst);
  if (record)
    record->send(core, {}, spike->source);
}

/// Finds the values of a group, and counts. With `more`, it sends what waits.
void LiveWork::updateOrSend(uint32_t core, uint32_t g, uint64_t sample,
                            uint64_t tick, uint64_t step, bool more) {
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
  recorder.record(sample, g, inputs.shownTick(sample, tick), state, result,
                  more);
  CoreCounts &counted = counts[core];
  counted[Counter::UpdatesActive] += result.active;
  counted[Counter::UpdatesInactive] += result.inactive;
  countWork(counted, result.work, result.issued);
}

/// One emission as messages to cores, with the work that came before it.
void LiveWork::sendSpike(uint32_t core, const Machine::Group &group,
                         const Emission &emission, uint64_t step,
                         MessageStream &stream) {
  const SpikeForm form = spikeForm(group, emission.source);
  ++counts[core][form.counter];
  Gathered &work = gathered[core];
  work.add(work::Emission, 1);
  const uint32_t source = group.sourceOf(emission.neuron, emission.source);
  MessageStream::Burst burst;
  if (!inputs.order()) { // else it waits
    emit(core, source, emission.value, step);
    burst.to = machine.messages(source);
  }
  if (burst.to.size() == 0)
    return;
  burst.work = work.take(record ? &piece : nullptr);
  burst.payload = emission.value;
  burst.graded = form.graded;
  burst.flits = flitsOf(target.mesh, form.payloadBits);
  stream.add(burst);
  if (record)
    record->send(core, piece, source);
}

/// Visits a group: finds values, counts, and the work between its messages.
void LiveWork::visit(uint32_t core, uint32_t g, uint64_t sample, uint64_t tick,
                     uint64_t step, bool more, MessageStream &stream) {
  const Machine::Group &group = machine.groups()[g];
  updateOrSend(core, g, sample, tick, step, more);
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
    sendValues(emission.neuron);
    reach(emission.active, uint64_t(emission.neuron) + 1);
    sendSpike(core, group, emission, step, stream);
    // A neuron's values to the host follow the last of its spikes.
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
  recorder.finishSteps(sample, machine.stepsOf(inputs.ticks()));
  limits.endSample(sample);
  events.endSample(inputs, sample);
}

void Shadow::send(uint32_t source, int64_t payload, uint64_t step) {
  for (const Machine::Message &message : machine.messages(source))
    state.accumulators.deliver(message.axon, payload, step);
}

void Shadow::inject(const std::vector<Injection> &injections, uint64_t step) {
  for (const Injection &injection : injections)
    send(injection.source, injection.payload, step);
}

std::string Shadow::place(uint32_t accumulator) const {
  const std::vector<Machine::Core> &cores = machine.cores();
  auto core = std::upper_bound(cores.begin(), cores.end(), accumulator,
                               [](uint32_t p, const Machine::Core &core) {
                                 return p < core.firstAccumulator;
                               });
  --core;
  return fmt::format("core {}, accumulator {}", core->id,
                     accumulator - core->firstAccumulator);
}

void Shadow::visit(uint32_t groupIndex, uint64_t tick, uint64_t step,
                   const GroupUpdate &theirs) {
  updateGroup(state, groupIndex, tick, step, mine);
  compareEmissions(groupIndex, step, theirs);
}

void Shadow::sendUnits(uint32_t groupIndex, uint64_t step,
                       const GroupUpdate &theirs) {
  sim::sendUnits(state, groupIndex, mine);
  compareEmissions(groupIndex, step, theirs);
}

void Shadow::compareEmissions(uint32_t groupIndex, uint64_t step,
                              const GroupUpdate &theirs) {
  const Machine::Group &group = machine.groups()[groupIndex];
  for (size_t i = 0;
       i < std::max(mine.emissions.size(), theirs.emissions.size()); ++i) {
    // The first neuron that emits in one of them only, or another value.
    bool ours = i < mine.emissions.size(), other = i < theirs.emissions.size();
    if (ours && other &&
        mine.emissions[i].neuron == theirs.emissions[i].neuron &&
        mine.emissions[i].source == theirs.emissions[i].source &&
        mine.emissions[i].value == theirs.emissions[i].value)
      continue;
    uint32_t neuron = std::min(ours ? mine.emissions[i].neuron : UINT32_MAX,
                               other ? theirs.emissions[i].neuron : UINT32_MAX);
    auto valueIn = [&](const GroupUpdate &update) {
      return i < update.emissions.size() && update.emissions[i].neuron == neuron
                 ? update.emissions[i].value
                 : 0;
    };
    throw Error(
        fmt::format("verify: {}, step {}: expected emission {}, found "
                    "{}; the timing of messages changed a result",
                    place(group.firstAccumulator + neuron * group.accumulators),
                    step, valueIn(mine), valueIn(theirs)));
  }
  if (queues)
    return;
  for (const Emission &emission : mine.emissions)
    send(group.sourceOf(emission.neuron, emission.source), emission.value,
         step);
}

/// The first index in which two arrays differ; their end if they do not.
template <typename T>
static size_t differAt(const ZeroedVector<T> &a, const ZeroedVector<T> &b) {
  return std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
}

/// The first state word in which two machines differ; the end if they do not.
/// Rows are longer than there are neurons, and machine code (Compiled.h) leaves
/// other words behind the last neuron than the interpreter.
size_t Shadow::wordAt(const State &theirs) const {
  for (const Machine::Group &group : machine.groups()) {
    if (!group.micro)
      continue;
    for (uint32_t w = 0; w < group.micro->stateWords(); ++w) {
      const auto first =
          state.words.begin() +
          ptrdiff_t(group.words + w * size_t(group.micro->row()));
      const auto found =
          std::mismatch(first, first + group.count,
                        theirs.words.begin() + (first - state.words.begin()));
      if (found.first != first + group.count)
        return found.first - state.words.begin();
    }
  }
  return state.words.size();
}

void Shadow::compare(const State &theirs, uint64_t sample,
                     uint64_t step) const {
  if (auto found = state.accumulators.compare(theirs.accumulators))
    throw Error(fmt::format(
        "verify: {}, step {} of sample {}: expected a sum of {}, found {} "
        "after all messages were served",
        place(found->accumulator), step, sample, found->mine, found->others));
  struct {
    const char *name;
    const ZeroedVector<int32_t> &mine, &others;
  } words[] = {{"u", state.u, theirs.u},
               {"v", state.v, theirs.v},
               {"refractory", state.refractory, theirs.refractory}};
  for (const auto &word : words) {
    const size_t at = differAt(word.mine, word.others);
    if (at != word.mine.size())
      throw Error(fmt::format(
          "verify: {}, step {} of sample {}: expected {} = {}, found {}",
          place(static_cast<uint32_t>(at)), step, sample, word.name,
          word.mine[at], word.others[at]));
  }
  struct {
    const char *name;
    const ZeroedVector<int64_t> &mine, &others;
    size_t at;
  } more[] = {
      {"state word", state.words, theirs.words, wordAt(theirs)},
      {"held sum", state.held, theirs.held, differAt(state.held, theirs.held)},
      {"unit to send", state.left, theirs.left,
       differAt(state.left, theirs.left)}};
  for (const auto &array : more)
    if (array.at != array.mine.size())
      throw Error(fmt::format(
          "verify: step {} of sample {}: expected {} {} to be {}, found {}",
          step, sample, array.name, array.at, array.mine[array.at],
          array.others[array.at]));
}

} // namespace dendrolith::sim
