// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/rows/Rows.h"

#include "simulator/functional/neuron/CubaStep.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace dendrolith::sim {

void Rows::countBy(const CountedForm &form, const Machine &machine) {
  const uint32_t bit =
      form.bits && weightBits
          ? CountedSums::countBit(form, machine.accumulators(), weightBits)
          : 0;
  if (bit == carried)
    return;
  for (uint32_t *entry = packed.begin(); entry != packed.end(); ++entry)
    *entry = (*entry & ~carried) | bit;
  carried = bit;
}

int64_t Rows::away(uint32_t source, uint32_t next) const {
  const uint32_t from = runBegin[source], to = runBegin[next];
  if (from == runBegin[source + 1] || to == runBegin[next + 1] ||
      runs[from].accumulator != kNone || runs[to].accumulator != kNone)
    return 0;
  return static_cast<int64_t>(runs[to].first - runs[from].first);
}

template <unsigned Bits>
void Rows::add(Span<uint32_t> entries, int64_t payload, uint64_t due,
               State &state, int64_t away) const {
  if (state.layout.counted.bits)
    state.counted.add<Bits>(entries, payload, due, away);
  else
    state.accumulators.addPacked<Bits>(
        entries, static_cast<uint64_t>(payload) << shift, due, away);
}

void Rows::send(const Run &run, int64_t payload, uint64_t due, State &state,
                int64_t away) const {
  Accumulators &accumulators = state.accumulators;
  if (run.accumulator != kNone) {
    const int16_t *first = listWeights.data() + run.first;
    const Span<int16_t> weights{first, first + run.count};
    if (rightShiftOf(run.shift))
      return accumulators.addShifted(
          weights,
          run.offset == kNone ? nullptr : listOffsets.data() + run.offset,
          run.accumulator, payload, run.shift, due);
    if (run.offset == kNone)
      return accumulators.addDense(weights, presentOf(run), run.accumulator,
                                   payload, run.shift, due);
    return accumulators.addSparse(
        weights, listOffsets.data() + run.offset, run.accumulator,
        static_cast<uint64_t>(payload) << run.shift, due);
  }
  if (weightBits == 0) {
    const Accumulators::Entry *first = wide.data() + run.first;
    return accumulators.add({first, first + run.count}, payload, due);
  }
  const uint32_t *first = packed.data() + run.first;
  const Span<uint32_t> entries{first, first + run.count};
  switch (weightBits) {
  case kByte:
    return add<kByte>(entries, payload, due, state, away);
  case kNarrow:
    return add<kNarrow>(entries, payload, due, state, away);
  case kMiddle:
    return add<kMiddle>(entries, payload, due, state, away);
  default:
    return add<kBroad>(entries, payload, due, state, away);
  }
}

void Rows::send(uint32_t source, int64_t payload, uint64_t step, State &state,
                uint32_t next) const {
  const int64_t away = this->away(source, next);
  for (uint32_t r = runBegin[source]; r < runBegin[source + 1]; ++r)
    send(runs[r], payload, step + 1 + runs[r].delay, state, away);
}

template <typename Kind>
static void addKinds(const Kind *kind, const Kind *end, uint64_t n,
                     uint64_t *of) {
  for (; kind != end; ++kind)
    of[*kind] += n;
}

std::vector<Traffic::Messages> Rows::sum(SourceRange sources,
                                         const uint64_t *times) const {
  std::vector<uint64_t> of(deliveries.size());
  for (uint32_t i = 0; i < sources.count; ++i) {
    const uint32_t source = sources.first + i * sources.stride;
    const uint64_t n = times[source], begin = messageBegin[source],
                   end = messageBegin[source + 1];
    if (n == 0)
      continue;
    if (wideKindOf.empty())
      addKinds(kindOf.data() + begin, kindOf.data() + end, n, of.data());
    else
      addKinds(wideKindOf.data() + begin, wideKindOf.data() + end, n,
               of.data());
  }
  std::vector<Messages> all(of.size());
  size_t used = 0;
  for (size_t k = 0; k < of.size(); ++k) {
    all[used] = {k, of[k]};
    used += of[k] != 0;
  }
  all.resize(used);
  return all;
}

void Rows::kindsOf(uint32_t source, std::vector<size_t> &kinds) const {
  const auto begin = static_cast<ptrdiff_t>(messageBegin[source]),
             end = static_cast<ptrdiff_t>(messageBegin[source + 1]);
  if (wideKindOf.empty())
    kinds.assign(kindOf.begin() + begin, kindOf.begin() + end);
  else
    kinds.assign(wideKindOf.begin() + begin, wideKindOf.begin() + end);
}

uint64_t Rows::bytes() const {
  return packed.size() * sizeof(uint32_t) +
         wide.size() * sizeof(Accumulators::Entry) +
         listWeights.size() * sizeof(int16_t) +
         listOffsets.size() * sizeof(uint32_t) + listPresent.size();
}

// Rows of a network of which each source has entries alone, all with one delay:
// they lie in the order of the sources, so that a number says where a row
// begins, and where the one before ends. What else is known of a row takes ten
// times the memory, which in a step of a large network is fetched for each
// spike.
//
// The plain twin is Rows::send() for one source after the other; RowsTest holds
// both equal. tests/bench/study.py shows the gain: with the twin, the networks
// of 10,000 and 100,000 neurons run 10 % and 13 % longer.

void Rows::findFlat() {
  if (weightBits == 0 || packed.size() > UINT32_MAX || runs.empty())
    return;
  std::vector<uint32_t> begins;
  uint64_t end = 0;
  for (size_t s = 0; s + 1 < runBegin.size(); ++s) {
    begins.push_back(static_cast<uint32_t>(end));
    if (runBegin[s] == runBegin[s + 1])
      continue;
    const Run &run = runs[runBegin[s]];
    if (runBegin[s + 1] - runBegin[s] > 1 || run.accumulator != kNone ||
        run.delay != runs[0].delay || run.first != end)
      return;
    end += run.count;
  }
  begins.push_back(static_cast<uint32_t>(end));
  flat = std::move(begins);
  flatDelay = runs[0].delay;
}

void Rows::sendSpikes(Span<uint32_t> sources, uint64_t step,
                      State &state) const {
  constexpr size_t ahead = 2; // rows fetched before their turn
  if (sources.size() == 0)
    return;
  const uint32_t *const begins = flat.data(), *const entries = packed.data();
  const auto walk = [=](auto add) {
    const size_t last = sources.size() - 1;
    for (size_t i = 0; i <= last; ++i) {
      const uint32_t begin = begins[sources[i]];
      const int64_t away =
          int64_t(begins[sources[std::min(i + ahead, last)]]) - begin;
      walkRow({entries + begin, entries + begins[sources[i] + 1]}, away, add);
    }
  };
  const uint64_t due = step + 1 + flatDelay;
  switch (weightBits) {
  case kByte:
    return state.counted.addAll<kByte>(1, due, walk);
  case kNarrow:
    return state.counted.addAll<kNarrow>(1, due, walk);
  case kMiddle:
    return state.counted.addAll<kMiddle>(1, due, walk);
  default:
    return state.counted.addAll<kBroad>(1, due, walk);
  }
}

void RowBatch::wait(Accumulators::DenseRows &of, const Rows::Run &run,
                    int64_t payload, uint64_t due) {
  if (std::tie(of.accumulator, of.count, of.shift, of.due) !=
      std::tie(run.accumulator, run.count, run.shift, due)) {
    state.accumulators.addDense(of);
    of.rows = 0;
    of.accumulator = run.accumulator;
    of.count = run.count;
    of.shift = run.shift;
    of.due = due;
  }
  of.weights[of.rows] = rows.listWeights.data() + run.first;
  of.present[of.rows] = rows.presentOf(run);
  of.payloads[of.rows] = static_cast<int32_t>(payload);
  if (++of.rows < of.kMost)
    return;
  state.accumulators.addDense(of);
  of.rows = 0;
}

void RowBatch::send(uint32_t source, int64_t payload, uint32_t next) {
  const uint32_t begin = rows.runBegin[source], end = rows.runBegin[source + 1];
  constexpr int64_t largest = Accumulators::DenseRows::kLargestPayload;
  const bool isSmall = payload >= -largest && payload <= largest;
  const int64_t away = rows.away(source, next);
  for (uint32_t r = begin; r < end; ++r) {
    const Rows::Run &run = rows.runs[r];
    const uint64_t due = step + 1 + run.delay;
    const bool isDense = run.accumulator != Rows::kNone &&
                         run.offset == Rows::kNone && !rightShiftOf(run.shift);
    if (isDense && isSmall && r - begin < kPlaces)
      wait(waiting[r - begin], run, payload, due);
    else
      rows.send(run, payload, due, state, away);
  }
}

void RowBatch::flush() {
  for (Accumulators::DenseRows &each : waiting) {
    state.accumulators.addDense(each);
    each.rows = 0;
  }
}

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
