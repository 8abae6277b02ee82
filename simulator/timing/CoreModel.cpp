// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/CoreModel.h"

#include "simulator/events/SpikeForm.h"
#include "simulator/events/WorkCounts.h"
#include "simulator/timing/Process.h"
#include "targets/loader/Payload.h"

#include <algorithm>

namespace neurite::sim {

/// How long each instruction of a group's program takes, in ps.
static std::vector<uint64_t> programTimes(const Machine::Group &group,
                                          const Target &target,
                                          const MicrocodeTiming &timing) {
  std::vector<uint64_t> all;
  if (!group.micro)
    return all;
  const uint64_t lanes = std::max<uint64_t>(target.microcode.lanes, 1);
  for (const micro::Instruction &code : group.micro->code()) {
    uint64_t cycles = timing.issue;
    micro::Work work = workOf(code);
    for (size_t c = 0; c < work.size(); ++c)
      cycles =
          plus(cycles, times((work[c] + lanes - 1) / lanes, timing.cycles[c]));
    all.push_back(times(cycles, timing.cycle));
  }
  return all;
}

CoreModel::CoreModel(const sc_core::sc_module_name &name, uint32_t index,
                     Chip &chip, Mesh &mesh, std::exception_ptr &failure)
    : sc_module(name), index(index), chip(chip), mesh(mesh), failure(failure),
      stream(chip.streams[index]), timing(chip.timings.of(index)) {
  const Machine::Core &core = chip.machine.cores()[index];
  for (uint32_t g = core.firstGroup; g < core.firstGroup + core.groups; ++g)
    times.push_back(
        programTimes(chip.machine.groups()[g], chip.target, timing.microcode));
  SC_METHOD(update);
  sensitive << open;
  dont_initialize();
}

/// The values of a step's updates depend on nothing that happens in the step,
/// so all groups are visited at once; when their messages leave is then a
/// matter of the stream and the port.
void CoreModel::update() {
  guard(failure, [&] {
    stream.clear(chip.step);
    work = 0;
    uint64_t begin = now(), visited = 0;
    const Machine::Core &core = chip.machine.cores()[index];
    for (uint32_t g = core.firstGroup; g < core.firstGroup + core.groups; ++g) {
      uint64_t tick = 0;
      const Machine::Group &group = chip.machine.groups()[g];
      const uint64_t ticks = chip.inputs.ticks();
      if (chip.machine.tickAt(group.schedule, chip.step, ticks, tick)) {
        visit(g, tick, /*more=*/false);
        visited += group.count;
      } else if (chip.machine.sendsAt(group, chip.step, ticks, tick))
        visit(g, tick, /*more=*/true);
    }
    if (chip.serial) {
      begin = plus(begin, chip.serial->serving(index));
      work = plus(work, chip.serial->emptySlots(index, visited));
    }
    chip.start(stream, begin, work, mesh);
  });
}

/// Visits a group: finds values, counts, and the times between its messages.
void CoreModel::visit(uint32_t g, uint64_t tick, bool more) {
  const Machine::Group &group = chip.machine.groups()[g];
  if (more)
    sendUnits(chip.state, g, result);
  else
    updateGroup(chip.state, g, tick, chip.step, result,
                group.micro ? &times[g - chip.machine.cores()[index].firstGroup]
                            : nullptr);
  if (chip.shadow && more)
    chip.shadow->sendUnits(g, chip.step, result);
  else if (chip.shadow)
    chip.shadow->visit(g, tick, chip.step, result);
  chip.events.update(g, tick, result);
  chip.recorder.record(chip.sample, g, tick, chip.state, result, more);
  CoreCounts &counts = chip.counts[index];
  counts[Counter::UpdatesActive] += result.active;
  counts[Counter::UpdatesInactive] += result.inactive;
  countWork(counts, result.work, result.issued);

  uint64_t reached = 0; // ps that updates up to the last neuron looked at take
  auto reach = [&](uint64_t active, uint64_t neurons) {
    uint64_t at = plus(sim::times(active, timing.updateActive),
                       sim::times(neurons - active, timing.updateInactive));
    if (!result.time.empty())
      at = plus(at, result.time[neurons - 1]);
    work = plus(work, at - reached);
    reached = at;
  };
  auto send = [&](MessageStream::Burst burst) {
    burst.work = work;
    work = 0;
    stream.add(burst);
  };
  auto value = result.hostMessages.begin();
  auto sendValues = [&](uint64_t before) {
    for (; value != result.hostMessages.end() && value->neuron < before;
         ++value) {
      reach(value->active, uint64_t(value->neuron) + 1);
      MessageStream::Burst burst;
      burst.payload = value->value;
      burst.flits = flitsOf(chip.target.mesh,
                            chip.machine.outputs()[value->output].payloadBits);
      send(burst);
    }
  };
  // Each neuron sends its spikes to cores, and then its values to the host.
  for (const Emission &emission : result.emissions) {
    SpikeForm form = spikeForm(group, emission.source);
    ++counts[form.counter];
    sendValues(emission.neuron);
    reach(emission.active, uint64_t(emission.neuron) + 1);
    work = plus(work, timing.spikeEmit);
    uint32_t source = group.sourceOf(emission.neuron, emission.source);
    chip.emit(index, source, emission.value);
    MessageStream::Burst burst;
    burst.to = chip.machine.messages(source);
    burst.payload = emission.value;
    burst.graded = form.graded;
    burst.flits = flitsOf(chip.target.mesh, form.payloadBits);
    if (burst.to.size())
      send(burst);
    // Its values to the host follow the last of its spikes.
    if (&emission == &result.emissions.back() ||
        (&emission)[1].neuron != emission.neuron)
      sendValues(uint64_t(emission.neuron) + 1);
  }
  sendValues(group.count);
  reach(result.active, group.count);
}

} // namespace neurite::sim
