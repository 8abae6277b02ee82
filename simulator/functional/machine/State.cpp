// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/machine/State.h"

#include "targets/support/Error.h"
#include "targets/support/Versions.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::sim {

uint64_t ringSlots(const Machine &machine, const BucketLayout &layout) {
  uint64_t alive = layout.firstWindow + layout.maxDelay + 1, slots = 1;
  while (slots < alive)
    slots *= 2;
  const uint64_t most = uint64_t(1) << 31;
  if (slots > most || slots * machine.accumulators() > most)
    throw Error(fmt::format("program: expected at most 2^31 accumulator "
                            "buckets, found {} steps for each of {} "
                            "accumulators; reduce delays or the period",
                            slots, machine.accumulators()));
  return slots;
}

Accumulators::Accumulators(const Machine &machine, const BucketLayout &layout)
    : machine(machine), firstWindow(layout.firstWindow),
      slotMask(layout.counted.bits ? 0 : ringSlots(machine, layout) - 1),
      sumRing((slotMask + 1) * machine.accumulators()),
      markRing(sumRing.size()) {}

void Accumulators::clear(uint32_t first, uint32_t count) {
  for (size_t at = first; at < sumRing.size(); at += machine.accumulators()) {
    std::fill_n(sumRing.data() + at, count, 0);
    std::fill_n(markRing.data() + at, count, 0);
  }
}

/// Adds modulo 2^64, which signed numbers do not define.
static void accumulate(int64_t &sum, uint64_t contribution) {
  sum = static_cast<int64_t>(static_cast<uint64_t>(sum) + contribution);
}

void Accumulators::deliver(uint32_t axonIndex, int64_t payload, uint64_t step) {
  const Axon axon = machine.axons()[axonIndex];
  const int16_t *first = machine.weights().data() + axon.weight;
  const Span<int16_t> weights{first, first + axon.count};
  const uint64_t due = step + 1 + axon.delay;
  if (axon.later)
    return addDelayed(axon, payload, due);
  if (rightShiftOf(axon.shift))
    return addShifted(weights,
                      axon.kind == ListKind::Dense
                          ? nullptr
                          : machine.offsets().data() + axon.offset,
                      axon.accumulator, payload, axon.shift, due);
  // An entry adds weight * payload << shift, modulo 2^64 throughout.
  if (axon.kind == ListKind::Dense)
    addDense(weights, nullptr, axon.accumulator, payload, axon.shift, due);
  else
    addSparse(weights, machine.offsets().data() + axon.offset, axon.accumulator,
              static_cast<uint64_t>(payload) << axon.shift, due);
}

void Accumulators::addDelayed(const Axon &axon, int64_t payload, uint64_t due) {
  for (uint64_t k = 0; k < axon.count; ++k) {
    const size_t at =
        axon.accumulator +
        (axon.kind == ListKind::Dense ? k : machine.offsets()[axon.offset + k]);
    const uint64_t when = due + machine.entryDelays()[axon.weight + k];
    accumulate(sums(when)[at],
               static_cast<uint64_t>(contribution(
                   machine.weights()[axon.weight + k], payload, axon.shift)));
    marks(when)[at] = 1;
  }
}

void Accumulators::addSparse(Span<int16_t> weights, const uint32_t *offsets,
                             uint32_t accumulator, uint64_t factor,
                             uint64_t due) {
  int64_t *sums = this->sums(due) + accumulator;
  uint8_t *marks = this->marks(due) + accumulator;
  for (size_t k = 0; k < weights.size(); ++k) {
    accumulate(sums[offsets[k]],
               static_cast<uint64_t>(int64_t(weights[k])) * factor);
    marks[offsets[k]] = 1;
  }
}

void Accumulators::addShifted(Span<int16_t> weights, const uint32_t *offsets,
                              uint32_t accumulator, int64_t payload,
                              uint8_t shift, uint64_t due) {
  int64_t *sums = this->sums(due) + accumulator;
  uint8_t *marks = this->marks(due) + accumulator;
  for (size_t k = 0; k < weights.size(); ++k) {
    const size_t at = offsets ? offsets[k] : k;
    accumulate(sums[at], static_cast<uint64_t>(
                             contribution(weights.begin()[k], payload, shift)));
    marks[at] = 1;
  }
}

/// Adds weights times `payload`, shifted to the left, to sums. A payload of 16
/// bits, which most are, needs no products of 64.
static void addProducts(const Span<int16_t> &weights, const int64_t &payload,
                        const uint8_t &shift, int64_t *sums) {
  const int16_t *weight = weights.begin();
  const size_t count = weights.size();
  const auto narrow = static_cast<int16_t>(payload);
  const unsigned left = shift;
  if (narrow == payload)
    for (size_t k = 0; k < count; ++k)
      accumulate(
          sums[k],
          static_cast<uint64_t>(int64_t(int32_t(weight[k]) * int32_t(narrow)))
              << left);
  else
    for (size_t k = 0; k < count; ++k)
      accumulate(sums[k], static_cast<uint64_t>(int64_t(weight[k])) *
                              (static_cast<uint64_t>(payload) << left));
}

/// Marks accumulators, of which `present` has a byte each.
static void addMarks(const uint8_t *const &present, const size_t &count,
                     uint8_t *marks) {
  const uint8_t *const from = present;
  const size_t all = count;
  for (size_t k = 0; k < all; ++k)
    marks[k] |= from[k];
}

void Accumulators::addDense(Span<int16_t> weights, const uint8_t *present,
                            uint32_t accumulator, int64_t payload,
                            uint8_t shift, uint64_t due) {
  versionsOf<addProducts>().of(bestIsa())(weights, payload, shift,
                                          sums(due) + accumulator);
  if (present)
    versionsOf<addMarks>().of(bestIsa())(present, weights.size(),
                                         marks(due) + accumulator);
  else
    std::fill_n(marks(due) + accumulator, weights.size(), 1);
}

/// Four rows at once: their products and the sum of these have 32 bits.
static void addFour(const Accumulators::DenseRows &rows, int64_t *sums) {
  static_assert(Accumulators::DenseRows::kMost == 4, "four are named here");
  const int16_t *const a = rows.weights[0], *const b = rows.weights[1],
                       *const c = rows.weights[2], *const d = rows.weights[3];
  const auto [p, q, r, s] = rows.payloads;
  const size_t count = rows.count;
  const unsigned left = rows.shift;
  if ((p == 1) & (q == 1) & (r == 1) & (s == 1))
    for (size_t k = 0; k < count; ++k)
      accumulate(sums[k],
                 static_cast<uint64_t>(int64_t(a[k] + b[k] + c[k] + d[k]))
                     << left);
  else
    for (size_t k = 0; k < count; ++k)
      accumulate(sums[k], static_cast<uint64_t>(int64_t(a[k] * p + b[k] * q +
                                                        c[k] * r + d[k] * s))
                              << left);
}

/// Marks what any of four rows has.
static void markFour(const Accumulators::DenseRows &rows, uint8_t *marks) {
  const uint8_t *const a = rows.present[0], *const b = rows.present[1],
                       *const c = rows.present[2], *const d = rows.present[3];
  for (size_t k = 0, count = rows.count; k < count; ++k)
    marks[k] = uint8_t(marks[k] | a[k] | b[k] | c[k] | d[k]);
}

void Accumulators::addDense(const DenseRows &rows) {
  if (rows.rows < DenseRows::kMost) {
    for (size_t i = 0; i < rows.rows; ++i)
      addDense({rows.weights[i], rows.weights[i] + rows.count}, rows.present[i],
               rows.accumulator, rows.payloads[i], rows.shift, rows.due);
    return;
  }
  versionsOf<addFour>().of(bestIsa())(rows, sums(rows.due) + rows.accumulator);
  uint8_t *const marks = this->marks(rows.due) + rows.accumulator;
  const auto &present = rows.present;
  if (std::find(present.begin(), present.end(), nullptr) != present.end())
    std::fill_n(marks, rows.count, 1);
  else
    versionsOf<markFour>().of(bestIsa())(rows, marks);
}

void Accumulators::add(Span<Entry> entries, int64_t payload, uint64_t due) {
  int64_t *sums = this->sums(due);
  uint8_t *marks = this->marks(due);
  const uint64_t factor = static_cast<uint64_t>(payload);
  for (const Entry &entry : entries) {
    accumulate(sums[entry.accumulator],
               static_cast<uint64_t>(int64_t(entry.contribution)) * factor);
    marks[entry.accumulator] = 1;
  }
}

Accumulators::Due Accumulators::dueAt(const Machine::Group &group,
                                      uint64_t tick, uint64_t step) const {
  uint64_t window = tick == 0 ? firstWindow : machine.gap(group.schedule, tick);
  return {step + 1 > window ? step + 1 - window : 0, step};
}

void Accumulators::discard(uint32_t groupIndex, uint64_t tick, uint64_t step) {
  const Machine::Group &group = machine.groups()[groupIndex];
  Due due = dueAt(group, tick, step);
  const size_t count = group.allAccumulators();
  for (uint64_t d = due.first; d <= due.last; ++d) {
    std::fill_n(sums(d) + group.firstAccumulator, count, 0);
    std::fill_n(marks(d) + group.firstAccumulator, count, 0);
  }
}

std::optional<Accumulators::Difference>
Accumulators::compare(const Accumulators &other) const {
  for (size_t i = 0; i < sumRing.size(); ++i)
    if (sumRing[i] != other.sumRing[i] || markRing[i] != other.markRing[i])
      return Difference{static_cast<uint32_t>(i % machine.accumulators()),
                        i / machine.accumulators(), sumRing[i],
                        other.sumRing[i]};
  return std::nullopt;
}

State::State(const Machine &machine, const BucketLayout &layout)
    : State(machine, layout,
            {0, static_cast<uint32_t>(machine.cores().size())}) {}

State::State(const Machine &machine, const BucketLayout &layout, CoreShare own)
    : machine(machine), layout(layout), own(own), u(machine.accumulators()),
      v(machine.accumulators()), refractory(machine.accumulators()),
      words(machine.stateWords()), held(machine.heldSums()),
      left(machine.leftUnits()), accumulators(machine, layout),
      counted(layout.counted, machine.accumulators(),
              ringSlots(machine, layout)) {
  reset(/*all=*/true);
}

static void resetWords(const Machine::Group &group, int64_t *words, bool all) {
  for (const MicroProgram::State &state : group.micro->states())
    if (all || !state.keep)
      for (uint32_t w = state.first; w < state.first + state.elements; ++w)
        for (uint32_t n = 0; n < group.count; ++n)
          words[w * group.micro->row() + n] = group.micro->initial(w, n);
}

/// Clears the part of an array that begins where the group's `begin` says and
/// ends where the next one's does.
static void clearOf(const Machine &machine, uint32_t group,
                    size_t Machine::Group::*begin, ZeroedVector<int64_t> &all) {
  const std::vector<Machine::Group> &groups = machine.groups();
  const size_t first = groups[group].*begin;
  const size_t end =
      group + 1 < groups.size() ? groups[group + 1].*begin : all.size();
  std::fill_n(all.data() + first, end - first, 0);
}

void State::reset(bool all) {
  anyWord.assign(machine.groups().size(), {});
  for (uint32_t g = 0; g < machine.groups().size(); ++g) {
    const Machine::Group &group = machine.groups()[g];
    if (!own.has(group.core))
      continue;
    const auto count = static_cast<uint32_t>(group.allAccumulators());
    accumulators.clear(group.firstAccumulator, count);
    counted.clear(group.firstAccumulator, count);
    clearOf(machine, g, &Machine::Group::held, held);
    clearOf(machine, g, &Machine::Group::left, left);
    if (group.micro) {
      resetWords(group, wordsOf(group), all);
      continue;
    }
    std::fill_n(refractory.data() + group.firstAccumulator, group.count, 0);
    for (uint32_t n = 0; n < group.count; ++n) {
      u[group.firstAccumulator + n] = group.cuba.initialU[n];
      v[group.firstAccumulator + n] = group.cuba.initialV[n];
    }
  }
}

} // namespace dendrolith::sim
