// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buckets of 32 bits against those of 64, and which networks have them.

#include "simulator/functional/neuron/CubaStep.h"
#include "simulator/functional/rows/Rows.h"
#include "tests/simulator/ProgramBuilder.h"

#include <gtest/gtest.h>

#include <random>

namespace dendrolith::sim {
namespace {

using namespace dendrolith::test;

/// One input that sends `weights` with `shift` to as many neurons on one core.
image::Program fan(const std::vector<int> &weights, uint8_t shift, int64_t low,
                   int64_t high) {
  ProgramBuilder b(1, 1);
  b.population("a", weights.size(), 0).integerInput("in", 1, 0, low, high, 1);
  b.group(0, "a", 0, uint32_t(weights.size()), cuba(1));
  Matrix matrix;
  for (int weight : weights)
    matrix.push_back({weight});
  b.project("in", "a", matrix, 0, shift);
  return b.build();
}

CountedForm formOf(const image::Program &program) {
  Machine machine(program, Machine::Lists::Left);
  return Rows(program, machine, nullptr).layout().counted;
}

TEST(CountedSums, OnlyWhereTheLargestSumHasRoom) {
  // One bit counts, 30 and a sign are left; but a visit takes 2^29.
  const int64_t most = kLargestInput / 255;
  EXPECT_EQ(formOf(fan({255}, 0, 0, most)).bits, 1u);
  EXPECT_EQ(formOf(fan({255}, 0, 0, most + 1)).bits, 0u);
  EXPECT_EQ(formOf(fan({-255}, 0, -most, 0)).bits, 1u);
  EXPECT_EQ(formOf(fan({-255}, 0, -most - 1, 0)).bits, 0u);
  EXPECT_EQ(formOf(fan({255}, 4, 0, most / 16)).bits, 1u);
  EXPECT_EQ(formOf(fan({255}, 4, 0, most / 16 + 1)).bits, 0u);
}

TEST(CountedSums, EntriesAreHalvesWhereThereIsRoom) {
  EXPECT_EQ(formOf(fan({255}, 0, 0, 1)).bits, 7u);
  EXPECT_EQ(formOf(fan({127}, 0, 0, 1)).bits, 8u);
  EXPECT_EQ(formOf(fan({127}, 0, 0, (1 << 23) / 127)).bits, 8u);
  EXPECT_EQ(formOf(fan({127}, 0, 0, (1 << 23) / 127 + 1)).bits, 1u);
}

TEST(CountedSums, NotWhereALongListStaysOne) {
  EXPECT_EQ(formOf(fan(std::vector<int>(31, 1), 0, 0, 1)).bits, 8u);
  EXPECT_EQ(formOf(fan(std::vector<int>(32, 1), 0, 0, 1)).bits, 0u);
}

TEST(CountedSums, CountEveryEntryOfAPosition) {
  ProgramBuilder b(1, 1);
  b.population("a", 1, 0);
  b.integerInput("in", 9, 0, 0, 1 << 24, 1); // so that halves have no room
  b.group(0, "a", 0, 1, cuba(1));
  b.project("in", "a", {{0, 0, 0, 0, 0, 0, 0, 0, 1}});
  EXPECT_EQ(formOf(b.build()).bits, 4u); // 9 < 2^4
}

template <unsigned Bits>
void compareRandom(uint64_t seed, uint32_t neurons, unsigned counting = 7) {
  std::mt19937_64 random(seed);
  auto in = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  Machine machine(fan(std::vector<int>(neurons, 1), 0, 0, 1));
  for (int round = 0; round < 200; ++round) {
    const auto shift = unsigned(in(0, 4));
    Accumulators wide(machine, layoutOf(machine));
    const CountedForm form{counting, shift};
    CountedSums narrow(form, machine.accumulators(), 4);
    const uint32_t bit =
        CountedSums::countBit(form, machine.accumulators(), Bits);
    const int64_t half = int64_t(1) << (Bits - 1);
    for (int messages = 0; messages < 3; ++messages) {
      std::vector<uint32_t> entries;
      for (int64_t n = in(0, 40); n > 0; --n)
        entries.push_back(packEntry(uint32_t(in(0, neurons - 1)),
                                    uint32_t(in(-half, half - 1)), Bits));
      const int64_t payload = in(0, 2) ? 1 : in(-2, 2);
      Span<uint32_t> range{entries.data(), entries.data() + entries.size()};
      wide.addPacked<Bits>(range, uint64_t(payload) << shift, 5);
      for (uint32_t &entry : entries)
        entry |= bit;
      narrow.add<Bits>(range, payload, 5);
    }
    std::vector<int64_t> sums(neurons);
    std::vector<uint8_t> marks(neurons);
    narrow.move(5, 0, neurons, sums.data(), marks.data());
    for (size_t n = 0; n < neurons; ++n) {
      ASSERT_EQ(sums[n], wide.sums(5)[n]);
      ASSERT_EQ(marks[n], wide.marks(5)[n]);
      ASSERT_EQ(narrow.words(5)[n], 0u);
    }
  }
}

TEST(CountedSums, EqualWideOnes) {
  compareRandom<8>(5, 20, 8); // halves
  compareRandom<8>(6, 20);
  compareRandom<9>(1, 20); // halves
  compareRandom<9>(7, 20, 10);
  compareRandom<12>(3, 20);
  compareRandom<16>(2, 20);
  // Beside 16 bits of a weight and 7 that count, 9 are left.
  compareRandom<16>(4, 600);
}

} // namespace
} // namespace dendrolith::sim
