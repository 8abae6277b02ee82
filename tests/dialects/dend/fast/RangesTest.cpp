// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dialects/dend/fast/Ranges.h against one number after the other.

#include "dialects/dend/fast/Ranges.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace dendrolith::dend {
namespace {

/// The plain twin.
template <typename T> void addPlain(Range &range, const std::vector<T> &all) {
  for (T x : all) {
    range.invalid |= x != x;
    if (double(x) < range.low)
      range.low = double(x);
    if (double(x) > range.high)
      range.high = double(x);
  }
}

template <typename T, typename Make> void expectEqualRanges(Make make) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    Range range, plain;
    for (int part = 0; part < 4; ++part) {
      std::vector<T> numbers(random() % 300);
      for (T &number : numbers)
        number = make(random);
      range.add(numbers);
      addPlain(plain, numbers);
      ASSERT_EQ(range.seen(), plain.seen());
      ASSERT_EQ(range.low, plain.low);
      ASSERT_EQ(range.high, plain.high);
      ASSERT_EQ(std::signbit(range.low), std::signbit(plain.low));
      ASSERT_EQ(std::signbit(range.high), std::signbit(plain.high));
      ASSERT_EQ(range.invalid, plain.invalid);
    }
  }
}

TEST(Ranges, BlocksAreWhatTheirNumbersAre) {
  expectEqualRanges<double>([](std::mt19937 &random) {
    const uint32_t kind = random() % 1000;
    if (kind == 0)
      return std::nan("");
    if (kind == 1)
      return std::numeric_limits<double>::infinity();
    if (kind < 20)
      return kind % 2 ? -0.0 : 0.0;
    return (double(random() % 2000) - 1000) / 7;
  });
  expectEqualRanges<double>([](std::mt19937 &random) {
    return random() % 2 ? -0.0 : 0.0; // the first of equals stays
  });
  expectEqualRanges<int64_t>(
      [](std::mt19937 &random) { return int64_t(random() % 2000) - 1000; });
  expectEqualRanges<int64_t>(
      [](std::mt19937 &random) { // some are no exact reals
        const auto x = int64_t(uint64_t(random()) << 32 | random());
        return random() % 200 ? x >> 40 : x;
      });
}

} // namespace
} // namespace dendrolith::dend
