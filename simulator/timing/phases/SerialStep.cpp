// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/phases/SerialStep.h"

#include "targets/support/Time.h"

#include <algorithm>

namespace dendrolith::sim {

SerialStep::SerialStep(const Machine &machine, const Target &target,
                       const TimingSet &timing, const CoreTimings &timings)
    : phases(*timing.serial), timings(timings), host(machine.cores().size()),
      chipCores(target.numCores()), served(host), waiting(host), due(host) {
  if (phases.allSlots)
    slots = target.limits.compartmentsPerCore.value();
  std::vector<uint32_t> coreOf; // by source
  coreOf.resize(machine.sources(), host);
  for (const Machine::Group &group : machine.groups())
    std::fill_n(coreOf.begin() + group.source,
                size_t(group.count) * group.sources, group.core);
  uint32_t longest = 0;
  for (uint32_t source = 0; source < machine.sources(); ++source) {
    uint64_t elsewhere = 0;
    for (const Machine::Message &message : machine.messages(source)) {
      const Axon axon = machine.axons()[message.axon];
      if (coreOf[source] != host && axon.core != coreOf[source])
        elsewhere += axon.count;
      machine.forEachDelay(axon, [&](uint32_t steps, uint32_t entries) {
        if (steps)
          delayed.push_back({axon.core, entries, steps});
        longest = std::max(longest, steps);
      });
    }
    firstDelayed.push_back(delayed.size());
    remote.push_back(elsewhere);
  }
  for (std::vector<uint64_t> &ring : due)
    ring.resize(longest + 1);
}

void SerialStep::open(uint64_t now) {
  step = now;
  for (uint32_t core = 0; core < host; ++core) {
    uint64_t &dueNow = due[core][step % due[core].size()];
    served[core] = plus(waiting[core], dueNow);
    waiting[core] = dueNow = 0;
  }
  spikes = 0;
  entriesBefore = entries;
  entries = 0;
}

uint64_t SerialStep::emptySlots(uint32_t core, uint64_t neurons) const {
  return slots > neurons
             ? times(slots - neurons, timings.of(core).updateInactive)
             : 0;
}

void SerialStep::emitted(uint32_t endpoint, uint32_t source) {
  if (endpoint != host) {
    waiting[endpoint] =
        plus(waiting[endpoint], timings.of(endpoint).serial->perSpike);
    ++spikes;
    entries += remote[source];
  }
  for (uint64_t d = firstDelayed[source]; d < firstDelayed[source + 1]; ++d) {
    const DelayedList &list = delayed[d];
    // The next step, in which a list without a delay is due, is another one of
    // the ring than this, whose time has been taken.
    uint64_t &at =
        due[list.core][(step + 1 + list.delay) % due[list.core].size()];
    at = plus(at, times(list.entries, timings.of(list.core).serial->perDue));
  }
}

void SerialStep::emittedNowhere(uint32_t core, uint64_t count) {
  waiting[core] =
      plus(waiting[core], times(count, timings.of(core).serial->perSpike));
  spikes += count;
}

void SerialStep::received(uint32_t sender, uint32_t core, uint64_t service) {
  const bool noTime =
      sender == host ? !phases.hostLists : sender != core && phases.sequencer;
  if (!noTime)
    waiting[core] = plus(waiting[core], service);
}

uint64_t SerialStep::sequencer() const {
  if (!phases.sequencer)
    return 0;
  const SequencerTiming &timing = *phases.sequencer;
  uint64_t carried =
      entriesBefore ? plus(timing.busy, times(entriesBefore, timing.perEntry))
                    : timing.idle;
  return plus(carried, plus(times(chipCores, timing.perCore),
                            times(spikes, timing.perSpike)));
}

void SerialStep::reset() {
  std::fill(waiting.begin(), waiting.end(), 0);
  for (std::vector<uint64_t> &ring : due)
    std::fill(ring.begin(), ring.end(), 0);
  entries = 0;
}

} // namespace dendrolith::sim
