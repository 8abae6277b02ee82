// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector form of a visit against updateCuba neuron by neuron, over random
// rules, parameters, states and inputs, with the ends of every range among
// them.

#include "simulator/functional/neuron/CubaList.h"

#include <gtest/gtest.h>

#include <random>

namespace dendrolith::sim {
namespace {

struct RandomStates {
  std::mt19937_64 engine;
  int64_t in(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }
  int32_t of(std::initializer_list<int64_t> some, int64_t low, int64_t high) {
    auto pick = size_t(in(0, int64_t(2 * some.size())));
    return int32_t(pick < some.size() ? some.begin()[pick] : in(low, high));
  }
};

CubaGroup randomGroup(RandomStates &random, uint32_t neurons = 1) {
  const int64_t M = 1 << 23;
  CubaGroup group;
  group.rules.currentBits = uint32_t(random.of({23, 1, 28}, 1, 28));
  group.rules.wrapOpenHigh = random.in(0, 1);
  group.rules.vmin = random.of({-M + 1, 0}, -M, 0);
  group.rules.vmax = random.of({M - 1, 0}, 0, M);
  group.rules.refractory = random.of({0, 1}, 0, 4);
  group.decayU.set({random.of({-1, 4095, 0}, 0, 4095)}, 0);
  group.decayV.set({random.of({0, 4096}, 0, 4096)}, 0);
  group.threshold.set({random.of({0, M}, 0, M)}, 0);
  std::vector<int32_t> biases(random.in(0, 1) ? neurons : 1);
  for (int32_t &bias : biases)
    bias = random.of({0}, -M, M);
  group.bias.set(std::move(biases), 0);
  group.initialU.set({}, 0);
  group.initialV.set({}, 0);
  group.quiescent = true;
  return group;
}

/// Input in both forms: sums with marks, and words that count.
struct Input {
  std::vector<int64_t> sums;
  std::vector<uint8_t> marks;
  CountedForm form;
  std::vector<uint32_t> words;
};

Input randomInput(RandomStates &random, uint32_t neurons) {
  const int64_t M = 1 << 23;
  Input input;
  input.form = {unsigned(random.in(1, 9)), unsigned(random.in(0, 6))};
  const int64_t most = kLargestInput >> input.form.shift,
                counts = (int64_t(1) << input.form.bits) - 1,
                room = int64_t(1) << (31 - input.form.bits);
  for (uint32_t n = 0; n < neurons; ++n) {
    const int64_t count = random.in(0, 1) * random.in(0, counts);
    int64_t sum = count ? random.of({most - 1, -most, 0}, -M, M) : 0;
    sum = std::min(std::max({sum, -most, -room}), std::min(most, room) - 1);
    input.sums.push_back(sum * (int64_t(1) << input.form.shift));
    input.marks.push_back(count != 0);
    input.words.push_back(uint32_t(sum) << input.form.bits | uint32_t(count));
  }
  return input;
}

/// A visit that lists who spiked, with flags made of what it says.
void stepByList(const CubaGroup &group, const CubaArrays &arrays,
                CountedForm form, uint32_t *words, CubaTotals &totals,
                CubaList &list) {
  stepListing(group, arrays.count, arrays.u, arrays.v, form, words, totals,
              list);
  std::fill_n(arrays.flags, (arrays.count + 7) / 8 * 8, 0);
  uint64_t active = 0;
  for (uint32_t n = 0; n < arrays.count; ++n) {
    const uint32_t begins[] = {0, n, n + 1};
    uint64_t counts[2];
    list.countActive(begins, 2, counts);
    EXPECT_EQ(counts[0], active);
    arrays.flags[n] = counts[1] ? kActive : 0;
    active += counts[1];
  }
  for (uint32_t i = 0; i < list.count; ++i) {
    EXPECT_TRUE(i == 0 || list.neurons[i - 1] < list.neurons[i]);
    arrays.flags[list.neurons[i]] |= kSpiked;
  }
}

TEST(CubaStep, EqualsUpdatingEachNeuron) {
  RandomStates random{std::mt19937_64(7)};
  const int64_t M = 1 << 23;
  uint64_t spikes = 0, wraps = 0, clips = 0, plains = 0, others = 0;
  CubaList list; // one for all rounds, as in a run
  for (int round = 0; round < 2000; ++round) {
    const auto neurons = uint32_t(random.in(1, 90)); // of 8 or 16 lanes
    CubaGroup group = randomGroup(random, neurons);
    ASSERT_TRUE(hasSharedStep(group));
    const bool plain = isPlain(group);
    (plain ? plains : others) += 1;
    std::vector<int32_t> u, v, wait;
    for (uint32_t n = 0; n < neurons; ++n) {
      u.push_back(random.of({0, M, -M, 1, -1, 4095, -4096}, -M, M));
      v.push_back(int32_t(random.in(group.rules.vmin, group.rules.vmax)));
      wait.push_back(plain ? 0 : random.of({0}, 0, group.rules.refractory));
    }
    Input input = randomInput(random, neurons);
    // Sums and marks, then words in each version that the processor runs, and
    // by list.
    for (int way : {0, 1, 2, 3, 4}) {
      const Isa isa = way == 1   ? Isa::Any
                      : way == 4 ? std::min(Isa::Avx2, bestIsa())
                                 : bestIsa();
      if (way == 3 && !(canStepListing() && plain))
        continue;
      const bool counted = way > 0;
      std::vector<uint32_t> counts = input.words;
      std::vector<int32_t> newU = u, newV = v, newWait = wait;
      std::vector<uint8_t> flags((neurons + 7) / 8 * 8, 0xff);
      std::vector<uint32_t> words(neurons);
      CubaArrays arrays{neurons, newU.data(), newV.data(), flags.data(),
                        newWait.data()};
      CubaTotals totals, expected;
      totals.peaks = way != 3 && round % 2;
      if (way == 3) {
        stepByList(group, arrays, input.form, counts.data(), totals, list);
        EXPECT_EQ(counts, words) << "not emptied";
      } else if (counted) {
        stepShared(group, arrays, input.form, counts.data(), totals, isa);
        EXPECT_EQ(counts, words) << "not emptied";
      } else {
        ASSERT_TRUE(stepShared(group, arrays, input.sums.data(),
                               input.marks.data(), words.data(), totals));
      }
      for (uint32_t n = 0; n < neurons; ++n) {
        CubaResult result = updateCuba(group.rules, group.at(n),
                                       {u[n], v[n], wait[n]}, input.sums[n]);
        bool active =
            input.marks[n] || u[n] || v[n] || wait[n] || group.bias[n];
        ASSERT_EQ(newU[n], result.state.u) << round << " " << n;
        ASSERT_EQ(newV[n], result.state.v) << round << " " << n;
        if (!plain) {
          ASSERT_EQ(newWait[n], result.state.refractory) << round << " " << n;
        }
        ASSERT_EQ(flags[n],
                  (active ? kActive : 0) | (result.spike ? kSpiked : 0));
        expected.active += active;
        expected.wrapped += result.wrapped;
        expected.clipped += result.clipped;
        expected.changed += result.state.v != v[n];
        expected.spiked |= result.spike;
        for (auto [peak, x] : {std::pair(&expected.peakU, result.state.u),
                               {&expected.peakV, result.potential}})
          if (totals.peaks) // -1 is as large as 0
            *peak = std::max(*peak, x < 0 ? -x - 1 : x);
        spikes += result.spike;
      }
      for (size_t n = neurons; n < flags.size(); ++n)
        ASSERT_EQ(flags[n], 0) << "a neuron that there is not";
      EXPECT_EQ(totals.active, expected.active);
      EXPECT_EQ(totals.wrapped, expected.wrapped);
      EXPECT_EQ(totals.clipped, expected.clipped);
      EXPECT_EQ(totals.changed, expected.changed);
      EXPECT_EQ(totals.spiked, expected.spiked);
      EXPECT_EQ(totals.peakU, expected.peakU);
      EXPECT_EQ(totals.peakV, expected.peakV);
      wraps += expected.wrapped;
      clips += expected.clipped;
    }
  }
  EXPECT_GT(spikes, 0u);
  EXPECT_GT(wraps, 0u);
  EXPECT_GT(clips, 0u);
  EXPECT_GT(plains, 0u);
  EXPECT_GT(others, 0u);
}

TEST(CubaStep, LeavesLargeInputsToTheOtherWay) {
  RandomStates random{std::mt19937_64(1)};
  CubaGroup group = randomGroup(random);
  for (int64_t sum :
       {kLargestInput, -kLargestInput - 1, std::numeric_limits<int64_t>::min(),
        std::numeric_limits<int64_t>::max()}) {
    int32_t u = 5, v = -3, wait = 0;
    uint32_t word = 0;
    uint8_t mark = 1, flags[8] = {};
    CubaTotals totals;
    EXPECT_FALSE(stepShared(group, {1, &u, &v, flags, &wait}, &sum, &mark,
                            &word, totals));
    EXPECT_EQ(u, 5);
    EXPECT_EQ(v, -3);
  }
}

TEST(CubaStep, IsForSharedParametersAndPlainRules) {
  RandomStates random{std::mt19937_64(1)};
  auto allows = [&](auto change) {
    CubaGroup group = randomGroup(random);
    change(group);
    return hasSharedStep(group);
  };
  EXPECT_TRUE(allows([](CubaGroup &) {}));
  EXPECT_TRUE(allows([](CubaGroup &g) { g.rules.refractory = 20; }));
  EXPECT_FALSE(allows([](CubaGroup &g) { g.rules.currentBits = 29; }));
  EXPECT_FALSE(allows([](CubaGroup &g) { g.rules.silent = true; }));
  EXPECT_FALSE(allows([](CubaGroup &g) { g.rules.biasWrap = true; }));
  EXPECT_FALSE(allows([](CubaGroup &g) { g.rules.inputWrapBits = 21; }));
  EXPECT_FALSE(allows([](CubaGroup &g) { g.quiescent = false; }));
  EXPECT_FALSE(allows([](CubaGroup &g) { g.threshold.set({1, 2}, 0); }));
}

} // namespace
} // namespace dendrolith::sim
