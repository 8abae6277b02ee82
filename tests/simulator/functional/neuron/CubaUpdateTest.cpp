// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/functional/neuron/Cuba.h.
// The neuron's update alone: NengoLoihi's emulator, which wraps and holds where
// Lava does not, and the ends of every range. CubaTest.cpp has Lava's numbers.

#include "simulator/functional/neuron/Cuba.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

struct Trace {
  std::vector<int64_t> u, v;
  std::vector<int> spikes;
};

Trace traceOf(const CubaRules &rules, const CubaParameters &parameters,
              const std::vector<int64_t> &inputs, CubaState state = {}) {
  Trace trace;
  for (int64_t input : inputs) {
    CubaResult next = updateCuba(rules, parameters, state, input);
    state = next.state;
    trace.u.push_back(state.u);
    trace.v.push_back(state.v);
    trace.spikes.push_back(next.spike);
  }
  return trace;
}

using Values = std::vector<int64_t>;
using SpikeTrain = std::vector<int>;

TEST(CubaUpdate, EndsOfTheWrappedRange) {
  const int64_t M = 1 << 23;
  CubaParameters p{0, 0, 2147483647, 0};
  CubaRules low, high;
  high.wrapOpenHigh = true;
  EXPECT_EQ(updateCuba(low, p, {}, M).state.u, M); // Lava: +2^23 stays
  EXPECT_EQ(updateCuba(low, p, {}, -M).state.u, M);
  EXPECT_EQ(updateCuba(high, p, {}, M).state.u, -M);
  EXPECT_EQ(updateCuba(high, p, {}, -M).state.u, -M);
  EXPECT_FALSE(updateCuba(low, p, {}, M).wrapped);
  EXPECT_TRUE(updateCuba(low, p, {}, -M).wrapped);
  EXPECT_TRUE(updateCuba(low, p, {}, M).clipped); // v stops at 2^23 - 1
  // The sum is defined modulo 2^64, so the far ends are no accident.
  EXPECT_EQ(updateCuba(low, p, {5, 0, 0}, INT64_MIN).state.u, 4);
}

TEST(CubaUpdate, WrapsInTheBitsOfTheCurrent) {
  CubaParameters p{0, 0, 2147483647, 0};
  CubaRules rules;
  rules.currentBits = 15;
  EXPECT_EQ(updateCuba(rules, p, {}, 32768).state.u, 32768);
  EXPECT_EQ(updateCuba(rules, p, {}, 32769).state.u, -32767);
  rules.wrapOpenHigh = true;
  EXPECT_EQ(updateCuba(rules, p, {}, 32767).state.u, 32767);
  EXPECT_EQ(updateCuba(rules, p, {}, 32768).state.u, -32768);
  rules.currentBits = 31;
  const int64_t M = int64_t(1) << 31;
  EXPECT_EQ(updateCuba(rules, p, {}, M - 1).state.u, M - 1);
  EXPECT_EQ(updateCuba(rules, p, {}, M).state.u, -M);
}

// NengoLoihi: wrap(x, 8 bits and a sign).
TEST(CubaUpdate, NengoWrap) {
  const std::pair<int64_t, int64_t> cases[] = {
      {255, 255},  {256, -256}, {261, -251}, {-256, -256},
      {-257, 255}, {512, 0},    {768, -256}};
  for (auto [x, wrapped] : cases)
    EXPECT_EQ(wrapCurrent(static_cast<uint64_t>(x), 8, true), wrapped) << x;
}

// NengoLoihi's decay, offset 1 for u and 0 for v, toward zero.
TEST(CubaUpdate, NengoDecay) {
  CubaRules rules;
  rules.vmax = 1 << 30;
  auto decayed = [&](int32_t x, int32_t decay) {
    CubaResult r =
        updateCuba(rules, {decay, decay, 2147483647, 0}, {x, x, 0}, 0);
    return std::pair<int, int>(r.state.u, r.state.v - r.state.u);
  };
  EXPECT_EQ(decayed(1000, 410), std::make_pair(899, 899));
  EXPECT_EQ(decayed(-1000, 410), std::make_pair(-899, -899));
  EXPECT_EQ(decayed(1, 410), std::make_pair(0, 0));
  EXPECT_EQ(decayed(-1, 410), std::make_pair(0, 0));
  EXPECT_EQ(decayed(1 << 21, 410), std::make_pair(1886720, 1887232));
  EXPECT_EQ(decayed(1000, 0), std::make_pair(999, 1000));
  EXPECT_EQ(decayed(100000, 4095), std::make_pair(0, 24));
}

CubaRules nengo() {
  CubaRules rules;
  rules.inputWrapBits = 21;
  rules.wrapOpenHigh = rules.biasWrap = true;
  rules.vmin = 0;
  rules.vmax = (1 << 23) - 1;
  rules.refractory = 2;
  return rules;
}

// NengoLoihi's emulator, first block without bias; weights as discretised.
TEST(CubaUpdate, NengoSpikeInput) {
  CubaParameters p{741, 200, 6149696, 0};
  Trace first =
      traceOf(nengo(), p, {0, 5376 + 16256, 0, 16256, 5376, 0, 0, 0, 0, 0});
  EXPECT_EQ(first.u, (Values{0, 21632, 17713, 30760, 30563, 25026, 20492, 16779,
                             13739, 11250}));
  EXPECT_EQ(first.v, (Values{0, 21632, 38288, 67178, 94460, 114873, 129755,
                             140198, 147091, 151158}));
  Trace second =
      traceOf(nengo(), p, {0, -10880 + 2688, 0, 2688, -10880, 0, 0, 0, 0, 0});
  EXPECT_EQ(second.u, (Values{0, -8192, -6708, -2804, -13176, -10789, -8834,
                              -7233, -5922, -4849}));
  EXPECT_EQ(second.v, Values(10, 0)); // vmin
}

TEST(CubaUpdate, NengoBiasAndRefractory) {
  auto spikeTimes = [](int32_t bias) {
    Trace t = traceOf(nengo(), {741, 200, 3074816, bias}, Values(50, 0));
    std::vector<int> times;
    for (int i = 0; i < 50; ++i)
      if (t.spikes[i])
        times.push_back(i + 1);
    t.v.resize(8);
    return std::make_pair(times, t.v);
  };
  auto [times, v] = spikeTimes(450432);
  EXPECT_EQ(times, (SpikeTrain{9, 19, 29, 39, 49}));
  EXPECT_EQ(v, (Values{450432, 878870, 1286388, 1674008, 2042701, 2393391,
                       2726958, 3044237}));
  EXPECT_EQ(spikeTimes(225216).first, (SpikeTrain{22, 45}));
}

TEST(CubaUpdate, ThresholdIsStrictAndReadOutsAreSilent) {
  CubaParameters p{4095, 4096, 100, 0};
  EXPECT_FALSE(updateCuba({}, p, {}, 100).spike);
  EXPECT_TRUE(updateCuba({}, p, {}, 101).spike);
  CubaRules silent;
  silent.silent = true;
  CubaResult r = updateCuba(silent, p, {}, 101);
  EXPECT_FALSE(r.spike);
  EXPECT_EQ(r.state.v, 101);
}

TEST(CubaUpdate, RefractoryCountNeverGoesBelowZero) {
  CubaRules rules;
  CubaResult r = updateCuba(rules, {4095, 0, 10, 0}, {}, 50);
  EXPECT_TRUE(r.spike);
  EXPECT_EQ(r.state.refractory, 0);
  rules.refractory = 3;
  r = updateCuba(rules, {4095, 0, 10, 0}, {}, 50);
  EXPECT_EQ(r.state.refractory, 2);
  for (int held = 2; held-- > 0;) {
    r = updateCuba(rules, {4095, 0, 10, 0}, r.state, 50);
    EXPECT_FALSE(r.spike);
    EXPECT_EQ(r.state.v, 0);
    EXPECT_EQ(r.state.refractory, held);
  }
  EXPECT_TRUE(updateCuba(rules, {4095, 0, 10, 0}, r.state, 50).spike);
}

} // namespace
} // namespace dendrolith::sim
