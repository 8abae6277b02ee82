// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/Step.h"

#include "simulator/functional/neuron/CubaStep.h"
#include "simulator/functional/neuron/MicroStep.h"

#include "runtime/arrays/LittleEndian.h"

#include <algorithm>

namespace neurite::sim {

/// With a period above 1, input that fell due between two visits lies in
/// earlier buckets: fold them into the last one and leave them empty.
static void foldBuckets(Accumulators &accumulators, Accumulators::Due due,
                        const Machine::Group &group) {
  int64_t *sums = accumulators.sums(due.last) + group.position;
  uint8_t *marks = accumulators.marks(due.last) + group.position;
  const size_t count = group.positions();
  for (uint64_t d = due.first; d < due.last; ++d) {
    int64_t *from = accumulators.sums(d) + group.position;
    uint8_t *fromMarks = accumulators.marks(d) + group.position;
    for (size_t n = 0; n < count; ++n) {
      sums[n] = static_cast<int64_t>(static_cast<uint64_t>(sums[n]) +
                                     static_cast<uint64_t>(from[n]));
      marks[n] |= fromMarks[n];
    }
    std::fill_n(from, count, 0);
    std::fill_n(fromMarks, count, 0);
  }
}

/// What the program's outputs show of a neuron that was just updated.
static void showOutputs(const Machine &machine, const Machine::Group &group,
                        uint32_t neuron, uint32_t active,
                        const CubaResult &result,
                        std::vector<HostMessage> &messages) {
  for (const Machine::Shown &shown : group.outputs) {
    const Machine::Output &output = machine.outputs()[shown.output];
    int64_t value = output.kind == image::Output::SPIKES ? result.spike
                    : shown.part == 0                    ? result.state.u
                                                         : result.state.v;
    if (value != 0)
      messages.push_back({neuron, shown.output, 0, active, value});
  }
}

void GroupUpdate::clear() {
  active = inactive = wrapped = clipped = ended = changed = issued = 0;
  work = {};
  emissions.clear();
  hostMessages.clear();
  time.clear();
  visit.emissions.clear(); // those of a visit that computed, whole values
}

/// Emissions of the neurons whose flags say so. They are sought in 64 flags at
/// once: where the next one is, is as good as random.
static void emitSpikes(const std::vector<uint8_t> &flags, GroupUpdate &update) {
  constexpr uint64_t each = ~uint64_t(0) / 255; // 1 in each byte
  uint32_t active = 0;
  for (uint32_t first = 0; first < flags.size(); first += 64) {
    uint64_t acts[8], spikes = 0;
    uint32_t before[8]; // active ones
    for (uint32_t w = 0; w < 8 && first + 8 * w < flags.size(); ++w) {
      const uint64_t eight = loadLittle<uint64_t>(
          reinterpret_cast<const char *>(flags.data() + first + 8 * w));
      acts[w] = eight & (each * kActive);
      before[w] = active;
      active += uint32_t(acts[w] * each >> 56);
      // The product brings the low bits of the bytes together on top.
      const uint64_t fired = (eight / kSpiked & each) * 0x0102040810204080;
      spikes |= fired >> 56 << (8 * w);
    }
    for (; spikes; spikes &= spikes - 1) {
      const auto n = static_cast<uint32_t>(__builtin_ctzll(spikes));
      const uint64_t upTo = ~uint64_t(0) >> (8 * (7 - n % 8));
      const uint64_t count = (acts[n / 8] & upTo) * each >> 56;
      update.emissions.push_back(
          {first + n, 0, before[n / 8] + uint32_t(count), 1});
    }
  }
}

/// What a visit of neurons with the same parameters leaves to be told.
static void tellShared(const State &state, const Machine::Group &group,
                       const CubaArrays &arrays, const CubaTotals &totals,
                       GroupUpdate &update) {
  update.active = totals.active;
  update.inactive = group.count - totals.active;
  update.wrapped = totals.wrapped;
  update.clipped = totals.clipped;
  update.changed = totals.changed;
  if (totals.spiked)
    emitSpikes(update.flags, update);
  if (group.outputs.empty())
    return;
  uint32_t active = 0;
  for (uint32_t n = 0; n < group.count; ++n) {
    CubaResult result;
    result.state = {arrays.u[n], arrays.v[n], 0};
    result.spike = arrays.flags[n] & kSpiked;
    active += arrays.flags[n] & kActive;
    showOutputs(state.machine, group, n, active, result, update.hostMessages);
  }
}

static CubaArrays arraysOf(State &state, const Machine::Group &group,
                           GroupUpdate &update) {
  update.flags.resize((group.count + 7) / 8 * 8);
  return {group.count, state.u.data() + group.position,
          state.v.data() + group.position, update.flags.data()};
}

static void updateCubaGroup(State &state, const Machine::Group &group,
                            int64_t *sums, const uint8_t *marks,
                            GroupUpdate &update) {
  if (group.cuba.sharedStep) {
    const CubaArrays arrays = arraysOf(state, group, update);
    CubaTotals totals;
    update.words.resize(group.count);
    if (stepShared(group.cuba, arrays, sums, marks, update.words.data(),
                   totals))
      return tellShared(state, group, arrays, totals, update);
  }
  const Machine &machine = state.machine;
  const CubaGroup &cuba = group.cuba;
  int32_t *u = state.u.data() + group.position;
  int32_t *v = state.v.data() + group.position;
  int32_t *refractory = state.refractory.data() + group.position;

  for (uint32_t n = 0; n < group.count; ++n) {
    CubaParameters parameters = cuba.at(n);
    bool active = marks[n] | (u[n] != 0) | (v[n] != 0) | (refractory[n] != 0) |
                  (parameters.bias != 0);
    update.active += active;
    if (!active && cuba.quiescent)
      continue;
    CubaResult result = updateCuba(cuba.rules, parameters,
                                   {u[n], v[n], refractory[n]}, sums[n]);
    update.wrapped += result.wrapped;
    update.clipped += result.clipped;
    update.changed += result.state.v != v[n];
    u[n] = result.state.u;
    v[n] = result.state.v;
    refractory[n] = result.state.refractory;
    if (result.spike)
      update.emissions.push_back(
          {n, 0, static_cast<uint32_t>(update.active), 1});
    if (!group.outputs.empty())
      showOutputs(machine, group, n, static_cast<uint32_t>(update.active),
                  result, update.hostMessages);
  }
  update.inactive = group.count - update.active;
}

void updateGroup(State &state, uint32_t groupIndex, uint64_t tick,
                 uint64_t step, GroupUpdate &update,
                 const std::vector<uint64_t> *times) {
  const Machine::Group &group = state.machine.groups()[groupIndex];
  update.clear();
  const Accumulators::Due due = state.accumulators.dueAt(group, tick, step);
  if (state.machine.counted.bits && group.cuba.sharedStep &&
      due.first == due.last) {
    const CubaArrays arrays = arraysOf(state, group, update);
    CubaTotals totals;
    stepShared(group.cuba, arrays, state.machine.counted,
               state.counted.words(step) + group.position, totals);
    return tellShared(state, group, arrays, totals, update);
  }
  int64_t *sums = state.accumulators.sums(due.last) + group.position;
  uint8_t *marks = state.accumulators.marks(due.last) + group.position;
  if (state.machine.counted.bits)
    for (uint64_t d = due.first; d <= due.last; ++d)
      state.counted.move(d, group.position, group.positions(), sums, marks);
  else
    foldBuckets(state.accumulators, due, group);
  if (group.micro)
    updateMicroGroup(state, group, tick, sums, marks, update, times);
  else
    updateCubaGroup(state, group, sums, marks, update);
  std::fill_n(sums, group.positions(), 0);
  std::fill_n(marks, group.positions(), 0);
}

} // namespace neurite::sim
