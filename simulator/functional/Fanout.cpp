// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/Fanout.h"

#include <algorithm>

namespace neurite::sim {

/// Dense lists of at least this many entries are served as lists.
static constexpr uint32_t kLongList = 32;
/// Most entries copied into rows (8 bytes each): lists that many sources
/// share would otherwise grow without bound.
static constexpr uint64_t kMostEntries = uint64_t(1) << 26;
/// With this shift and 16-bit weights a contribution fits 32 bits.
static constexpr uint8_t kLargestShift = 16;

Fanout::Fanout(const Machine &machine) : machine(machine) {
  for (uint32_t source = 0; source < machine.sources(); ++source) {
    addSource(source);
    runBegin.push_back(runs.size());
  }
}

void Fanout::addSource(uint32_t source) {
  std::vector<uint32_t> copied; // in-axons
  for (const Machine::Message &message : machine.messages(source)) {
    const Machine::Axon &axon = machine.axons()[message.axon];
    bool isLong = axon.kind == ListKind::Dense && axon.count >= kLongList;
    if (isLong || axon.shift > kLargestShift || entries.size() > kMostEntries)
      runs.push_back({message.axon, 0, 0});
    else
      copied.push_back(message.axon);
  }
  std::stable_sort(copied.begin(), copied.end(), [&](uint32_t a, uint32_t b) {
    return machine.axons()[a].delay < machine.axons()[b].delay;
  });
  bool first = true;
  for (uint32_t index : copied) {
    const Machine::Axon &axon = machine.axons()[index];
    if (first || runs.back().delay != axon.delay)
      runs.push_back({entries.size(), 0, axon.delay});
    first = false;
    for (uint32_t k = 0; k < axon.count; ++k) {
      uint32_t offset =
          axon.kind == ListKind::Dense ? k : machine.offsets()[axon.offset + k];
      entries.push_back(
          {axon.position + offset,
           machine.weights()[axon.weight + k] * (int32_t(1) << axon.shift)});
    }
    runs.back().count += axon.count;
  }
}

void Fanout::send(uint32_t source, int64_t payload, uint64_t step,
                  Accumulators &accumulators) const {
  for (uint64_t r = runBegin[source]; r < runBegin[source + 1]; ++r) {
    const Run &run = runs[r];
    if (run.count == 0)
      accumulators.deliver(static_cast<uint32_t>(run.first), payload, step);
    else
      accumulators.add(
          {entries.data() + run.first, entries.data() + run.first + run.count},
          payload, step + 1 + run.delay);
  }
}

} // namespace neurite::sim
