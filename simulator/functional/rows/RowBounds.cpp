// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/rows/RowBounds.h"

#include "simulator/functional/neuron/CubaStep.h"
#include "simulator/functional/rows/Rows.h"

#include <algorithm>
#include <cstdlib>

namespace dendrolith::sim {

/// The largest magnitude of a payload that any source emits.
static uint64_t largestPayload(const Machine &machine) {
  uint64_t most = 1;
  auto see = [&](int64_t low, int64_t high) {
    // The ends of a range are within 32 bits, or too large for counted sums.
    for (int64_t end : {low, high})
      most = std::max(most, end < 0 ? 0 - static_cast<uint64_t>(end)
                                    : static_cast<uint64_t>(end));
  };
  for (const Machine::Input &input : machine.inputs())
    if (input.integer)
      see(input.low, input.high);
  for (const Machine::Group &group : machine.groups())
    if (group.micro)
      for (const MicroProgram::Output &output : group.micro->outputs())
        see(output.low, output.high);
  return most;
}

void RowBounds::include(const RowBounds &other) {
  if (!other.any)
    return;
  packed &= other.packed && (!any || shift == other.shift);
  any = true;
  shift = other.shift;
  weightBits = std::max(weightBits, other.weightBits);
  entries = std::max(entries, other.entries);
  magnitude = std::max(magnitude, other.magnitude);
}

CountedForm RowBounds::counted(const Machine &machine) const {
  if (!any || !packed)
    return {};
  unsigned bits = 1;
  while (entries >> bits)
    ++bits;
  uint64_t largest = 0;
  if (__builtin_mul_overflow(magnitude, largestPayload(machine), &largest) ||
      largest >= uint64_t(kLargestInput) >> shift)
    return {};
  const auto hasRoom = [&](unsigned counting) {
    return counting <= 32 - weightBits && largest < uint64_t(1)
                                                        << (31 - counting);
  };
  if (!hasRoom(bits))
    return {};
  // Entries that divide in halves are added fastest (CountedSums::add).
  constexpr unsigned half = 16;
  if (weightBits + bits < half && machine.accumulators() <= 1u << half &&
      hasRoom(half - weightBits))
    bits = half - weightBits;
  return {bits, shift};
}

/// A source sends each of its entries at most once a step, so a bucket never
/// holds more than every entry of its accumulator once.
RowBounds Rows::findBounds(const Machine &machine) const {
  RowBounds found;
  found.any = !runs.empty();
  found.packed = weightBits != 0 &&
                 std::none_of(runs.begin(), runs.end(), [](const Run &run) {
                   return run.accumulator != kNone;
                 });
  found.weightBits = weightBits;
  found.shift = shift;
  if (!found.packed)
    return found;
  // Each word has the number of an accumulator's entries in its high half and
  // the sum of their magnitudes in the low one. Where the latter runs over,
  // there are too many entries anyhow.
  std::vector<uint64_t> all(machine.accumulators());
  for (size_t k = 0; k < packed.size(); ++k) {
    const uint32_t entry = packed.data()[k];
    all[accumulatorOf(entry, weightBits)] +=
        (uint64_t(1) << 32) |
        static_cast<uint32_t>(std::abs(weightOf(entry, weightBits)));
  }
  for (uint64_t each : all) {
    found.entries = std::max(found.entries, each >> 32);
    found.magnitude = std::max(found.magnitude, each & 0xffffffff);
  }
  return found;
}

} // namespace dendrolith::sim
