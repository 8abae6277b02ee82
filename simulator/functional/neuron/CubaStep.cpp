// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/neuron/CubaStep.h"

#include "targets/support/Versions.h"

#include <algorithm>
#include <cstring>

namespace dendrolith::sim {
namespace {

/// A vector has a lane for each of eight neurons. A comparison gives -1 in the
/// lanes where it holds, else 0.
constexpr uint32_t kLanes = 8;
typedef int32_t LaneInts __attribute__((vector_size(4 * kLanes)));
typedef uint8_t AllBytes __attribute__((vector_size(4 * kLanes)));
typedef uint8_t Bytes __attribute__((vector_size(kLanes)));

/// The index of a lane's low byte.
constexpr int kByte(int lane) {
  return 4 * lane + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 3);
}

/// The parameters that all neurons of the group share.
struct Shared {
  int32_t keepU, keepV, threshold, bias, vmin, vmax, low, mask;
  CountedForm form;
  int32_t pause;         // steps after that of a spike in which v is held at 0
  const int32_t *biases; // of each neuron, in place of `bias`; may be null
};

/// Where the neurons of a vector lie. `refractory` and `biases` are for groups
/// that are not plain.
struct NeuronsAt {
  uint32_t *words;
  int32_t *u, *v;
  uint8_t *flags;
  int32_t *refractory;
  const int32_t *biases;
};

/// x * keep / 4096 toward zero, for |x| <= 2^28 and keep <= 4096, in 32 bits.
void decay(LaneInts &x, int32_t keep) {
  const LaneInts sign = x >> 31, size = (x ^ sign) - sign;
  const LaneInts kept = (size >> 12) * keep + (((size & 4095) * keep) >> 12);
  x = (kept ^ sign) - sign;
}

/// Counts by lane, negative. A lane without a neuron, where `live` is 0, counts
/// nothing.
struct Totals {
  LaneInts active{}, wrapped{}, clipped{}, changed{}, spiked{};
  LaneInts peakU{}, peakV{}; // sizes
};

/// Raises `peak` to the size of x, of neurons that are live.
void raise(LaneInts &peak, const LaneInts &x, const LaneInts &live) {
  const LaneInts size = (x ^ (x >> 31)) & live;
  peak = size > peak ? size : peak;
}

template <bool Peaks, bool Plain>
void stepLanes(const Shared &p, const LaneInts &live, const NeuronsAt &at,
               Totals &totals) {
  LaneInts oldU, oldV, word, wait{}, bias = LaneInts{} + p.bias;
  std::memcpy(&oldU, at.u, sizeof oldU);
  std::memcpy(&oldV, at.v, sizeof oldV);
  std::memcpy(&word, at.words, sizeof word);
  std::memset(at.words, 0, sizeof word);
  if constexpr (!Plain) {
    std::memcpy(&wait, at.refractory, sizeof wait);
    if (at.biases)
      std::memcpy(&bias, at.biases, sizeof bias);
  }
  LaneInts sum{}, free = oldV;
  if (p.keepU) { // none where current has no memory
    sum = oldU;
    decay(sum, p.keepU);
  }
  decay(free, p.keepV);
  sum += word >> p.form.bits << p.form.shift;
  const LaneInts newU = ((sum + p.low) & p.mask) - p.low;
  free += newU + bias;
  LaneInts newV = free < p.vmin ? LaneInts{} + p.vmin : free;
  newV = newV > p.vmax ? LaneInts{} + p.vmax : newV;
  totals.clipped += (newV != free) & live;
  if constexpr (!Plain)
    newV &= wait == 0;
  const LaneInts fires = newV > p.threshold;
  totals.wrapped += (newU != sum) & live;
  if constexpr (Peaks) {
    raise(totals.peakU, newU, live);
    raise(totals.peakV, newV, live);
  }
  newV &= ~fires;
  const LaneInts any =
      (word & static_cast<int32_t>(p.form.mask())) | oldU | oldV | bias | wait;
  const LaneInts acts = (any != 0) & live;
  totals.active += acts;
  totals.changed += (newV != oldV) & live;
  totals.spiked |= fires & live;
  std::memcpy(at.u, &newU, sizeof newU);
  std::memcpy(at.v, &newV, sizeof newV);
  if constexpr (!Plain) {
    wait += wait > 0;
    wait = fires ? LaneInts{} + p.pause : wait;
    std::memcpy(at.refractory, &wait, sizeof wait);
  }
  const LaneInts said = (acts & kActive) | (fires & live & kSpiked);
  AllBytes all;
  std::memcpy(&all, &said, sizeof all);
  const Bytes bytes =
      __builtin_shufflevector(all, all, kByte(0), kByte(1), kByte(2), kByte(3),
                              kByte(4), kByte(5), kByte(6), kByte(7));
  std::memcpy(at.flags, &bytes, sizeof bytes);
}

uint64_t count(const LaneInts &lanes) {
  uint64_t sum = 0;
  for (uint32_t k = 0; k < kLanes; ++k)
    sum += static_cast<uint64_t>(-int64_t(lanes[k]));
  return sum;
}

template <bool Peaks, bool Plain>
void stepAll(const Shared &shared, const CubaArrays &neurons, uint32_t *words,
             CubaTotals &totals) {
  // Copies, so that the compiler knows that nothing written lies in them.
  const Shared p = shared;
  const CubaArrays arrays = neurons;
  Totals sums;
  LaneInts live = LaneInts{} - 1;
  uint32_t n = 0;
  for (; n + kLanes <= arrays.count; n += kLanes)
    stepLanes<Peaks, Plain>(p, live,
                            {words + n, arrays.u + n, arrays.v + n,
                             arrays.flags + n,
                             Plain ? nullptr : arrays.refractory + n,
                             p.biases ? p.biases + n : nullptr},
                            sums);
  if (const uint32_t rest = arrays.count - n) {
    uint32_t word[kLanes] = {};
    int32_t u[kLanes] = {}, v[kLanes] = {}, wait[kLanes] = {},
            bias[kLanes] = {};
    for (uint32_t k = 0; k < kLanes; ++k)
      live[k] = k < rest ? -1 : 0;
    std::copy_n(words + n, rest, word);
    std::copy_n(arrays.u + n, rest, u);
    std::copy_n(arrays.v + n, rest, v);
    if (!Plain)
      std::copy_n(arrays.refractory + n, rest, wait);
    if (p.biases)
      std::copy_n(p.biases + n, rest, bias);
    stepLanes<Peaks, Plain>(
        p, live,
        {word, u, v, arrays.flags + n, wait, p.biases ? bias : nullptr}, sums);
    std::copy_n(word, rest, words + n);
    std::copy_n(u, rest, arrays.u + n);
    std::copy_n(v, rest, arrays.v + n);
    if (!Plain)
      std::copy_n(wait, rest, arrays.refractory + n);
  }
  totals.active += count(sums.active);
  totals.wrapped += count(sums.wrapped);
  totals.clipped += count(sums.clipped);
  totals.changed += count(sums.changed);
  totals.spiked |= count(sums.spiked) != 0;
  for (uint32_t k = 0; Peaks && k < kLanes; ++k) {
    totals.peakU = std::max(totals.peakU, int32_t(sums.peakU[k]));
    totals.peakV = std::max(totals.peakV, int32_t(sums.peakV[k]));
  }
}

void step(const Shared &shared, const CubaArrays &neurons, uint32_t *words,
          CubaTotals &totals) {
  // Called by name, as a version has the instructions of what it calls so.
  if (shared.pause == 0 && !shared.biases)
    totals.peaks ? stepAll<true, true>(shared, neurons, words, totals)
                 : stepAll<false, true>(shared, neurons, words, totals);
  else
    totals.peaks ? stepAll<true, false>(shared, neurons, words, totals)
                 : stepAll<false, false>(shared, neurons, words, totals);
}

/// Turns sums and marks into words; false if a sum is beyond kLargestInput.
bool pack(uint32_t count, const int64_t *__restrict sums,
          const uint8_t *__restrict marks, uint32_t *__restrict words) {
  uint64_t far = 0;
  for (uint32_t n = 0; n < count; ++n) {
    far |= (static_cast<uint64_t>(sums[n]) + uint64_t(kLargestInput)) >> 30;
    words[n] = static_cast<uint32_t>(sums[n]) << 1 | marks[n];
  }
  return far == 0;
}

bool within(int64_t x, int64_t most) { return x >= -most && x <= most; }

} // namespace

bool hasSharedStep(const CubaGroup &group) {
  constexpr uint32_t mostBits = 28;
  constexpr int64_t most = int64_t(1) << mostBits;
  auto inRoom = [&](const CubaParameter &numbers) {
    for (int32_t x : numbers.all())
      if (!within(x, most))
        return false;
    return true;
  };
  for (const CubaParameter *p :
       {&group.decayU, &group.decayV, &group.threshold})
    if (p->all().size() != 1)
      return false;
  const CubaRules &rules = group.rules;
  return rules.inputWrapBits == 0 && rules.currentBits <= mostBits &&
         !rules.biasWrap && !rules.silent && group.quiescent &&
         within(rules.vmin, most) && within(rules.vmax, most) &&
         inRoom(group.bias) && inRoom(group.initialU) && inRoom(group.initialV);
}

void stepShared(const CubaGroup &group, const CubaArrays &arrays,
                CountedForm form, uint32_t *words, CubaTotals &totals,
                Isa isa) {
  const CubaParameters p = group.at(0);
  const int32_t half = int32_t(1) << group.rules.currentBits;
  versionsOf<step>().of(isa)(
      {4095 - p.decayU, 4096 - p.decayV, p.threshold, p.bias,
       static_cast<int32_t>(group.rules.vmin),
       static_cast<int32_t>(group.rules.vmax),
       half - (group.rules.wrapOpenHigh ? 0 : 1), 2 * half - 1, form,
       std::max(group.rules.refractory - 1, 0),
       group.bias.all().size() > 1 ? group.bias.all().data() : nullptr},
      arrays, words, totals);
}

bool stepShared(const CubaGroup &group, const CubaArrays &arrays,
                const int64_t *sums, const uint8_t *marks, uint32_t *words,
                CubaTotals &totals) {
  if (!pack(arrays.count, sums, marks, words))
    return false;
  stepShared(group, arrays, {1, 0}, words, totals);
  return true;
}

} // namespace dendrolith::sim
