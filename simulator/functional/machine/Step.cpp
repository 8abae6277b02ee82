// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/Step.h"

#include "simulator/functional/machine/MicroStep.h"
#include "simulator/functional/machine/WordScan.h"
#include "simulator/functional/neuron/CubaStep.h"

#include <algorithm>

namespace dendrolith::sim {

/// With a period above 1, input that fell due between two visits lies in
/// earlier buckets. This adds them to the last one and leaves them empty.
static void foldBuckets(Accumulators &accumulators, Accumulators::Due due,
                        const Machine::Group &group) {
  int64_t *sums = accumulators.sums(due.last) + group.firstAccumulator;
  uint8_t *marks = accumulators.marks(due.last) + group.firstAccumulator;
  const size_t count = group.allAccumulators();
  for (uint64_t d = due.first; d < due.last; ++d) {
    int64_t *from = accumulators.sums(d) + group.firstAccumulator;
    uint8_t *fromMarks = accumulators.marks(d) + group.firstAccumulator;
    for (size_t n = 0; n < count; ++n) {
      sums[n] = static_cast<int64_t>(static_cast<uint64_t>(sums[n]) +
                                     static_cast<uint64_t>(from[n]));
      marks[n] |= fromMarks[n];
    }
    std::fill_n(from, count, 0);
    std::fill_n(fromMarks, count, 0);
  }
}

/// Sends to the host what the program's outputs show of a neuron that was just
/// updated.
static void sendToHost(const Machine &machine, const Machine::Group &group,
                       uint32_t neuron, uint32_t active,
                       const CubaResult &result,
                       std::vector<HostMessage> &messages) {
  for (const Machine::OutputPart &shown : group.outputs) {
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
  peaks.clear();
  visit.came.clear();
  visit.emissions.clear(); // the whole values of the last visit that computed
}

/// Notes how far current and potential went in a visit.
static void reportPeaks(const Machine::Group &group, int32_t u, int32_t v,
                        GroupUpdate &update) {
  for (const Machine::Watched &watched : group.watched)
    update.peaks.push_back(watched.part == 0 ? u : v);
}

/// Fills `update` from what a visit of neurons with shared parameters has left.
static void reportShared(const State &state, const Machine::Group &group,
                         const CubaArrays &arrays, const CubaTotals &totals,
                         GroupUpdate &update) {
  update.active = totals.active;
  update.inactive = group.count - totals.active;
  update.wrapped = totals.wrapped;
  update.clipped = totals.clipped;
  update.changed = totals.changed;
  reportPeaks(group, totals.peakU, totals.peakV, update);
  if (totals.spiked)
    eachSpike(update.flags, [&](uint32_t neuron, uint32_t before) {
      update.emissions.push_back({neuron, 0, before, 1});
    });
  if (group.outputs.empty())
    return;
  uint32_t active = 0;
  for (uint32_t n = 0; n < group.count; ++n) {
    CubaResult result;
    result.state = {arrays.u[n], arrays.v[n], 0};
    result.spike = arrays.flags[n] & kSpiked;
    active += arrays.flags[n] & kActive;
    sendToHost(state.machine, group, n, active, result, update.hostMessages);
  }
}

static CubaArrays arraysOf(State &state, const Machine::Group &group,
                           GroupUpdate &update) {
  update.flags.resize((group.count + 7) / 8 * 8);
  return {group.count, state.u.data() + group.firstAccumulator,
          state.v.data() + group.firstAccumulator, update.flags.data(),
          state.refractory.data() + group.firstAccumulator};
}

static void updateCubaGroup(State &state, const Machine::Group &group,
                            int64_t *sums, const uint8_t *marks,
                            GroupUpdate &update) {
  if (group.cuba.sharedStep) {
    const CubaArrays arrays = arraysOf(state, group, update);
    CubaTotals totals;
    totals.peaks = !group.watched.empty();
    update.words.resize(group.count);
    if (stepShared(group.cuba, arrays, sums, marks, update.words.data(),
                   totals))
      return reportShared(state, group, arrays, totals, update);
  }
  const Machine &machine = state.machine;
  const CubaGroup &cuba = group.cuba;
  int32_t *u = state.u.data() + group.firstAccumulator;
  int32_t *v = state.v.data() + group.firstAccumulator;
  int32_t *refractory = state.refractory.data() + group.firstAccumulator;

  int32_t peakU = 0, peakV = 0;
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
    peakU = std::max(peakU, sizeOf(result.state.u));
    peakV = std::max(peakV, sizeOf(result.potential));
    u[n] = result.state.u;
    v[n] = result.state.v;
    refractory[n] = result.state.refractory;
    if (result.spike)
      update.emissions.push_back(
          {n, 0, static_cast<uint32_t>(update.active), 1});
    if (!group.outputs.empty())
      sendToHost(machine, group, n, static_cast<uint32_t>(update.active),
                 result, update.hostMessages);
  }
  update.inactive = group.count - update.active;
  reportPeaks(group, peakU, peakV, update);
}

void updateGroup(State &state, uint32_t groupIndex, uint64_t tick,
                 uint64_t step, GroupUpdate &update, bool parts) {
  const Machine::Group &group = state.machine.groups()[groupIndex];
  update.clear();
  const Accumulators::Due due = state.accumulators.dueAt(group, tick, step);
  if (state.layout.counted.bits && group.cuba.sharedStep &&
      due.first == due.last) {
    const CubaArrays arrays = arraysOf(state, group, update);
    CubaTotals totals;
    totals.peaks = !group.watched.empty();
    stepShared(group.cuba, arrays, state.layout.counted,
               state.counted.words(step) + group.firstAccumulator, totals);
    return reportShared(state, group, arrays, totals, update);
  }
  int64_t *sums = state.accumulators.sums(due.last) + group.firstAccumulator;
  uint8_t *marks = state.accumulators.marks(due.last) + group.firstAccumulator;
  if (state.layout.counted.bits)
    for (uint64_t d = due.first; d <= due.last; ++d)
      state.counted.move(d, group.firstAccumulator, group.allAccumulators(),
                         sums, marks);
  else
    foldBuckets(state.accumulators, due, group);
  if (group.micro)
    updateMicroGroup(state, group, state.codeOf(groupIndex), tick, sums, marks,
                     update, parts);
  else
    updateCubaGroup(state, group, sums, marks, update);
  std::fill_n(sums, group.allAccumulators(), 0);
  std::fill_n(marks, group.allAccumulators(), 0);
}

} // namespace dendrolith::sim
