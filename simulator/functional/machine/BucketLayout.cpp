// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/BucketLayout.h"

#include "simulator/functional/machine/Machine.h"

#include <algorithm>
#include <limits>

namespace dendrolith::sim {

static constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max();

/// The earliest phase in which any source sends to each in-axon.
static std::vector<uint64_t> firstSent(const Machine &machine) {
  std::vector<uint64_t> sentAt(machine.axons().size(), kNever);
  auto sends = [&](uint64_t phase, uint32_t first, uint64_t count) {
    for (uint64_t s = 0; s < count; ++s)
      for (const Machine::Message &m : machine.messages(uint32_t(first + s)))
        sentAt[m.axon] = std::min(sentAt[m.axon], phase);
  };
  for (const Machine::Input &input : machine.inputs())
    sends(input.schedule.phase, input.source, input.sources());
  for (const Machine::Group &group : machine.groups())
    sends(group.schedule.phase, group.source,
          uint64_t(group.count) * group.sources);
  return sentAt;
}

/// A schedule as the compiler makes it lets no input fall due more than a
/// period before the visit that reads it. Other images are executed too, with
/// a ring that reaches back to their earliest accumulation.
BucketLayout layoutOf(const Machine &machine) {
  BucketLayout layout;
  const std::vector<uint64_t> sentAt = firstSent(machine);
  std::vector<uint64_t> phaseAt(machine.accumulators(), 0),
      latest(machine.cores().size(), 0);
  for (const Machine::Group &group : machine.groups()) {
    std::fill_n(phaseAt.begin() + group.firstAccumulator,
                group.allAccumulators(), group.schedule.phase);
    latest[group.core] = std::max(latest[group.core], group.schedule.phase);
  }
  layout.firstWindow = machine.period();
  for (size_t a = 0; a < sentAt.size(); ++a) {
    const Axon axon = machine.axons()[a];
    machine.forEachDelay(axon, [&](uint32_t steps, uint32_t) {
      layout.maxDelay = std::max(layout.maxDelay, steps);
    });
    if (sentAt[a] == kNever)
      continue;
    const uint64_t earliest = sentAt[a] + 1 + axon.delay;
    if (latest[axon.core] < earliest + layout.firstWindow)
      continue;
    for (uint32_t k = 0; k < axon.count; ++k) {
      uint64_t phase = phaseAt[axon.accumulator +
                               (axon.kind == ListKind::Dense
                                    ? k
                                    : machine.offsets()[axon.offset + k])];
      const uint64_t due =
          earliest + (axon.later ? machine.entryDelays()[axon.weight + k] : 0);
      if (phase >= due)
        layout.firstWindow = std::max(layout.firstWindow, phase - due + 1);
    }
  }
  return layout;
}

} // namespace dendrolith::sim
