// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/CubaStep.h"

namespace neurite::sim {
namespace {

constexpr uint64_t kLargestInput = uint64_t(1) << 29;

struct Shared {
  int32_t keepU, keepV, threshold, bias, vmin, vmax, low;
};

/// x * keep / 4096 toward zero, for |x| <= 2^23 and keep <= 4096, in 32 bits.
inline int32_t decayed(int32_t x, int32_t keep) {
  const int32_t sign = x >> 31; // 0 or -1
  const int32_t size = (x ^ sign) - sign;
  const int32_t kept = (size >> 12) * keep + (((size & 4095) * keep) >> 12);
  return (kept ^ sign) - sign;
}

__attribute__((always_inline)) inline bool
narrow(uint32_t count, const int64_t *__restrict sums,
       int32_t *__restrict inputs) {
  uint64_t far = 0;
#pragma GCC ivdep
  for (uint32_t n = 0; n < count; ++n) {
    far |= (static_cast<uint64_t>(sums[n]) + kLargestInput) >> 30;
    inputs[n] = static_cast<int32_t>(sums[n]);
  }
  return far == 0;
}

__attribute__((always_inline)) inline void
step(const Shared p, uint32_t count, const int32_t *__restrict inputs,
     const uint8_t *__restrict marks, int32_t *__restrict u,
     int32_t *__restrict v, uint8_t *__restrict flags, CubaTotals &totals) {
  constexpr int32_t mask = (1 << (kCurrentBits + 1)) - 1;
  int32_t active = 0, wrapped = 0, clipped = 0, changed = 0, spiked = 0;
  const int32_t biased = p.bias != 0;
  // The arrays are distinct, which is lost where this is inlined.
#pragma GCC ivdep
  for (uint32_t n = 0; n < count; ++n) {
    const int32_t oldU = u[n], oldV = v[n];
    const int32_t sum = decayed(oldU, p.keepU) + inputs[n];
    const int32_t newU = ((sum + p.low) & mask) - p.low;
    const int32_t free = decayed(oldV, p.keepV) + newU + p.bias;
    int32_t newV = free < p.vmin ? p.vmin : free;
    newV = newV > p.vmax ? p.vmax : newV;
    const int32_t fires = newV > p.threshold;
    clipped += newV != free;
    wrapped += newU != sum;
    newV &= fires - 1;
    const int32_t acts = ((marks[n] | oldU | oldV | biased) != 0);
    active += acts;
    changed += newV != oldV;
    spiked |= fires;
    u[n] = newU;
    v[n] = newV;
    flags[n] = static_cast<uint8_t>(acts | fires << 1);
  }
  totals.active += static_cast<uint64_t>(active);
  totals.wrapped += static_cast<uint64_t>(wrapped);
  totals.clipped += static_cast<uint64_t>(clipped);
  totals.changed += static_cast<uint64_t>(changed);
  totals.spiked |= spiked != 0;
}

__attribute__((always_inline)) inline bool
both(const Shared &p, uint32_t count, const int64_t *sums, const uint8_t *marks,
     int32_t *u, int32_t *v, uint8_t *flags, int32_t *inputs,
     CubaTotals &totals) {
  if (!narrow(count, sums, inputs))
    return false;
  step(p, count, inputs, marks, u, v, flags, totals);
  return true;
}

using Both = bool (*)(const Shared &, uint32_t, const int64_t *,
                      const uint8_t *, int32_t *, int32_t *, uint8_t *,
                      int32_t *, CubaTotals &);

bool bothBaseline(const Shared &p, uint32_t count, const int64_t *sums,
                  const uint8_t *marks, int32_t *u, int32_t *v, uint8_t *flags,
                  int32_t *inputs, CubaTotals &totals) {
  return both(p, count, sums, marks, u, v, flags, inputs, totals);
}

#ifdef NEURITE_AVX2
__attribute__((target("avx2"))) bool
bothAvx2(const Shared &p, uint32_t count, const int64_t *sums,
         const uint8_t *marks, int32_t *u, int32_t *v, uint8_t *flags,
         int32_t *inputs, CubaTotals &totals) {
  return both(p, count, sums, marks, u, v, flags, inputs, totals);
}
#endif

Both choose() {
#ifdef NEURITE_AVX2
  if (__builtin_cpu_supports("avx2"))
    return bothAvx2;
#endif
  return bothBaseline;
}

bool within(int64_t x, int64_t most) { return x >= -most && x <= most; }

} // namespace

bool hasSharedStep(const CubaGroup &group) {
  constexpr int64_t most = int64_t(1) << 28;
  auto inRoom = [&](const CubaParameter &initial) {
    for (int32_t x : initial.all())
      if (!within(x, most))
        return false;
    return true;
  };
  for (const CubaParameter *p :
       {&group.decayU, &group.decayV, &group.threshold, &group.bias})
    if (p->all().size() != 1)
      return false;
  const CubaRules &rules = group.rules;
  return rules.inputWrapBits == 0 && rules.refractory <= 1 && !rules.biasWrap &&
         !rules.silent && group.restful && within(rules.vmin, most) &&
         within(rules.vmax, most) && within(group.bias[0], most) &&
         inRoom(group.initialU) && inRoom(group.initialV);
}

bool stepShared(const CubaGroup &group, uint32_t count, const int64_t *sums,
                const uint8_t *marks, int32_t *u, int32_t *v, uint8_t *flags,
                int32_t *inputs, CubaTotals &totals) {
  static const Both run = choose();
  const CubaParameters p = group.at(0);
  const int32_t half = int32_t(1) << kCurrentBits;
  const Shared shared{4095 - p.decayU,
                      4096 - p.decayV,
                      p.threshold,
                      p.bias,
                      static_cast<int32_t>(group.rules.vmin),
                      static_cast<int32_t>(group.rules.vmax),
                      half - (group.rules.wrapOpenHigh ? 0 : 1)};
  return run(shared, count, sums, marks, u, v, flags, inputs, totals);
}

} // namespace neurite::sim
