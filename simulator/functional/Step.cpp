// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/Step.h"

#include "simulator/functional/CubaStep.h"
#include "simulator/functional/MicroStep.h"

#include <algorithm>
#include <cstring>

namespace neurite::sim {

/// With a period above 1, input that fell due between two visits lies in
/// earlier buckets: fold them into the last one and leave them empty.
static void foldBuckets(Accumulators &accumulators, Accumulators::Due due,
                        const Machine::Group &group) {
  int64_t *sums = accumulators.sums(due.last) + group.position;
  uint8_t *marks = accumulators.marks(due.last) + group.position;
  const size_t count = size_t(group.count) * group.accumulators;
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

/// Neurons at n and behind it of which none has spiked: they come in eights.
static bool skipSilent(const uint8_t *flags, uint32_t count, uint32_t &n,
                       uint32_t &active) {
  if (count - n < 8)
    return false;
  uint64_t eight = 0;
  std::memcpy(&eight, flags + n, sizeof eight);
  if (eight & (~uint64_t(0) / 255 * kSpiked))
    return false;
  // kActive of each byte, summed into the highest one.
  active += static_cast<uint32_t>(eight * (~uint64_t(0) / 255) >> 56);
  n += 8;
  return true;
}

/// updateCubaGroup() where all neurons share their parameters; false if it has
/// to be done one by one.
static bool updateShared(State &state, const Machine::Group &group,
                         const int64_t *sums, const uint8_t *marks,
                         GroupUpdate &update) {
  update.flags.resize(group.count);
  update.inputs.resize(group.count);
  int32_t *u = state.u.data() + group.position;
  int32_t *v = state.v.data() + group.position;
  CubaTotals totals;
  if (!stepShared(group.cuba, group.count, sums, marks, u, v,
                  update.flags.data(), update.inputs.data(), totals))
    return false;
  update.active = totals.active;
  update.inactive = group.count - totals.active;
  update.wrapped = totals.wrapped;
  update.clipped = totals.clipped;
  update.changed = totals.changed;
  if (!totals.spiked && group.outputs.empty())
    return true;
  uint32_t active = 0;
  for (uint32_t n = 0; n < group.count;) {
    if (group.outputs.empty() &&
        skipSilent(update.flags.data(), group.count, n, active))
      continue;
    const bool spike = update.flags[n] & kSpiked;
    active += update.flags[n] & kActive;
    if (spike)
      update.emissions.push_back({n, 0, active, 1});
    if (!group.outputs.empty()) {
      CubaResult result;
      result.state = {u[n], v[n], 0};
      result.spike = spike;
      showOutputs(state.machine, group, n, active, result, update.hostMessages);
    }
    ++n;
  }
  return true;
}

static void updateCubaGroup(State &state, const Machine::Group &group,
                            int64_t *sums, const uint8_t *marks,
                            GroupUpdate &update) {
  if (group.cuba.sharedStep && updateShared(state, group, sums, marks, update))
    return;
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
    if (!active && cuba.restful)
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
  Accumulators::Due due = state.accumulators.dueAt(group, tick, step);
  foldBuckets(state.accumulators, due, group);
  int64_t *sums = state.accumulators.sums(due.last) + group.position;
  uint8_t *marks = state.accumulators.marks(due.last) + group.position;
  if (group.micro)
    updateMicroGroup(state, group, tick, sums, marks, update, times);
  else
    updateCubaGroup(state, group, sums, marks, update);
  const size_t count = size_t(group.count) * group.accumulators;
  std::fill_n(sums, count, 0);
  std::fill_n(marks, count, 0);
}

} // namespace neurite::sim
