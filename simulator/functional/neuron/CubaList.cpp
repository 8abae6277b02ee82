// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/neuron/CubaList.h"

#include <algorithm>
#include <cstring>

#ifdef __x86_64__
// GCC 12 takes what its own intrinsics leave undefined on purpose for a
// mistake.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>
#else
#include <cstdlib>
#endif

namespace dendrolith::sim {

#ifdef __x86_64__
#define DENDROLITH_AVX512 __attribute__((target("avx512f,popcnt")))

namespace {

constexpr uint32_t kLanes512 = 16;

/// The parameters that all neurons share, in each lane.
struct Lanes16 {
  __m512i keepU, keepV, threshold, bias, vmin, vmax, low, mask, bits, shift,
      counts;
};

/// Counts by lane.
struct Counts16 {
  __m512i active, wrapped, clipped, changed;
};

/// x * keep / 4096 toward zero, for |x| < 2^31 and keep <= 4096. Products of 64
/// bits, of the even lanes and of the odd ones.
DENDROLITH_AVX512 inline __m512i decayed(__m512i x, __m512i keep) {
  const __m512i size = _mm512_abs_epi32(x);
  const __m512i even = _mm512_srli_epi64(_mm512_mul_epu32(size, keep), 12);
  const __m512i odd = _mm512_slli_epi64(
      _mm512_mul_epu32(_mm512_srli_epi64(size, 32), keep), 20);
  const __m512i kept = _mm512_mask_mov_epi32(even, 0xaaaa, odd);
  const __m512i sign = _mm512_srai_epi32(x, 31);
  return _mm512_sub_epi32(_mm512_xor_si512(kept, sign), sign);
}

DENDROLITH_AVX512 inline __m512i counted(__m512i sum, __mmask16 which) {
  return _mm512_mask_sub_epi32(sum, which, sum, _mm512_set1_epi32(-1));
}

/// Sixteen neurons, of which those in `live` are there.
template <bool KeepsU>
DENDROLITH_AVX512 inline void
stepSixteen(const Lanes16 &p, __mmask16 live, uint32_t first, int32_t *u,
            int32_t *v, uint32_t *words, Counts16 &counts, CubaList &list,
            uint32_t &spikes) {
  const __m512i oldU = _mm512_maskz_loadu_epi32(live, u);
  const __m512i oldV = _mm512_maskz_loadu_epi32(live, v);
  const __m512i word = _mm512_maskz_loadu_epi32(live, words);
  _mm512_mask_storeu_epi32(words, live, _mm512_setzero_si512());
  __m512i sum = _mm512_sllv_epi32(_mm512_srav_epi32(word, p.bits), p.shift);
  if (KeepsU)
    sum = _mm512_add_epi32(sum, decayed(oldU, p.keepU));
  const __m512i newU = _mm512_sub_epi32(
      _mm512_and_si512(_mm512_add_epi32(sum, p.low), p.mask), p.low);
  const __m512i free =
      _mm512_add_epi32(decayed(oldV, p.keepV), _mm512_add_epi32(newU, p.bias));
  const __m512i newV = _mm512_min_epi32(_mm512_max_epi32(free, p.vmin), p.vmax);
  const __mmask16 silent = _mm512_cmple_epi32_mask(newV, p.threshold);
  const __m512i left = _mm512_maskz_mov_epi32(silent, newV);
  counts.clipped =
      counted(counts.clipped, _mm512_mask_cmpneq_epi32_mask(live, newV, free));
  counts.wrapped =
      counted(counts.wrapped, _mm512_mask_cmpneq_epi32_mask(live, newU, sum));
  counts.changed =
      counted(counts.changed, _mm512_mask_cmpneq_epi32_mask(live, left, oldV));
  const __m512i any =
      _mm512_or_si512(_mm512_or_si512(_mm512_and_si512(word, p.counts), oldU),
                      _mm512_or_si512(oldV, p.bias));
  const __mmask16 acts = _mm512_mask_test_epi32_mask(live, any, any);
  std::memcpy(list.active.data() + first / 8, &acts, sizeof acts);
  counts.active = counted(counts.active, acts);
  _mm512_mask_storeu_epi32(u, live, newU);
  _mm512_mask_storeu_epi32(v, live, left);
  const auto fires = static_cast<__mmask16>(~silent & live);
  const __m512i numbers = _mm512_add_epi32(
      _mm512_set1_epi32(static_cast<int32_t>(first)),
      _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  // All lanes are stored, as the list has room for them behind its end.
  _mm512_storeu_si512(list.neurons.data() + spikes,
                      _mm512_maskz_compress_epi32(fires, numbers));
  spikes += static_cast<uint32_t>(__builtin_popcount(fires));
}

template <bool KeepsU>
DENDROLITH_AVX512 void stepList(const Lanes16 &lanes, uint32_t count,
                                int32_t *u, int32_t *v, uint32_t *words,
                                CubaTotals &totals, CubaList &list) {
  const Lanes16 p = lanes;
  const __m512i zero = _mm512_setzero_si512();
  Counts16 counts{zero, zero, zero, zero};
  uint32_t spikes = 0, n = 0;
  for (; n + kLanes512 <= count; n += kLanes512)
    stepSixteen<KeepsU>(p, 0xffff, n, u + n, v + n, words + n, counts, list,
                        spikes);
  if (n < count)
    stepSixteen<KeepsU>(p, static_cast<__mmask16>((1u << (count - n)) - 1), n,
                        u + n, v + n, words + n, counts, list, spikes);
  list.count = spikes;
  totals.spiked |= spikes != 0;
  totals.active += uint32_t(_mm512_reduce_add_epi32(counts.active));
  totals.wrapped += uint32_t(_mm512_reduce_add_epi32(counts.wrapped));
  totals.clipped += uint32_t(_mm512_reduce_add_epi32(counts.clipped));
  totals.changed += uint32_t(_mm512_reduce_add_epi32(counts.changed));
}

DENDROLITH_AVX512 Lanes16 lanesOf(const CubaGroup &group, CountedForm form) {
  const CubaParameters p = group.at(0);
  const int32_t half = int32_t(1) << group.rules.currentBits;
  return {_mm512_set1_epi32(4095 - p.decayU),
          _mm512_set1_epi32(4096 - p.decayV),
          _mm512_set1_epi32(p.threshold),
          _mm512_set1_epi32(p.bias),
          _mm512_set1_epi32(static_cast<int32_t>(group.rules.vmin)),
          _mm512_set1_epi32(static_cast<int32_t>(group.rules.vmax)),
          _mm512_set1_epi32(half - (group.rules.wrapOpenHigh ? 0 : 1)),
          _mm512_set1_epi32(2 * half - 1),
          _mm512_set1_epi32(static_cast<int32_t>(form.bits)),
          _mm512_set1_epi32(static_cast<int32_t>(form.shift)),
          _mm512_set1_epi32(static_cast<int32_t>(form.mask()))};
}

DENDROLITH_AVX512 void stepList(const CubaGroup &group, uint32_t count,
                                int32_t *u, int32_t *v, CountedForm form,
                                uint32_t *words, CubaTotals &totals,
                                CubaList &list) {
  const Lanes16 lanes = lanesOf(group, form);
  if (group.decayU[0] == 4095)
    stepList<false>(lanes, count, u, v, words, totals, list);
  else
    stepList<true>(lanes, count, u, v, words, totals, list);
}

/// Sums up `bits` from bit `from` to bit `to`, behind which there are eight
/// bytes more.
DENDROLITH_AVX512 inline uint64_t countBits(const uint8_t *bits, uint32_t from,
                                            uint32_t to) {
  constexpr uint32_t most =
      56; // that a word has behind any bit of its first byte
  uint64_t sum = 0;
  for (; from < to; from += most) {
    const uint32_t count = std::min(most, to - from);
    uint64_t word;
    std::memcpy(&word, bits + from / 8, sizeof word);
    word = word >> from % 8 & ((uint64_t(1) << count) - 1);
    sum += static_cast<uint64_t>(__builtin_popcountll(word));
  }
  return sum;
}

} // namespace

bool canStepListing() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("popcnt");
}

void stepListing(const CubaGroup &group, uint32_t count, int32_t *u, int32_t *v,
                 CountedForm form, uint32_t *words, CubaTotals &totals,
                 CubaList &list) {
  if (list.neurons.size() < size_t(count) + kLanes512)
    list.neurons.resize(size_t(count) + kLanes512);
  list.active.resize((size_t(count) + kLanes512 - 1) / kLanes512 * 2 +
                     sizeof(uint64_t));
  stepList(group, count, u, v, form, words, totals, list);
}

DENDROLITH_AVX512 void CubaList::countActive(const uint32_t *begins,
                                             uint32_t groups,
                                             uint64_t *counts) const {
  const uint8_t *const bits = active.data();
  for (uint32_t g = 0; g < groups; ++g)
    counts[g] = countBits(bits, begins[g], begins[g + 1]);
}

#else

bool canStepListing() { return false; }
void stepListing(const CubaGroup &, uint32_t, int32_t *, int32_t *, CountedForm,
                 uint32_t *, CubaTotals &, CubaList &) {
  std::abort();
}
void CubaList::countActive(const uint32_t *, uint32_t, uint64_t *) const {
  std::abort();
}

#endif

} // namespace dendrolith::sim
