// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dialects/dend/fast/SideBySide.h: FixedPoint64 gives the integers of
// FixedPoint.h, which is tested by itself.
#include "dialects/dend/fast/SideBySide.h"

#include <gtest/gtest.h>

#include <random>

using namespace dendrolith::dend;

namespace {

constexpr Rounding kEveryRounding[] = {Rounding::Floor, Rounding::TowardZero,
                                       Rounding::NearestEven,
                                       Rounding::NearestUp};

/// Integers of all magnitudes, ends and ties among them.
std::vector<int64_t> integers() {
  std::vector<int64_t> all = {0, INT64_MIN, INT64_MAX, INT64_MIN + 1};
  for (unsigned bit = 0; bit < 62; ++bit)
    for (int64_t near : {-1, 0, 1})
      for (int64_t odd : {1, 3}) {
        const auto x = int64_t(uint64_t(odd) << bit) + near;
        all.push_back(x);
        all.push_back(-x);
      }
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i)
    all.push_back(int64_t(random()) >> (random() % 64));
  return all;
}

TEST(FixedPoint64Test, RoundsAsTheWideForm) {
  for (int64_t x : integers())
    for (unsigned bits = 1; bits <= 62; ++bits)
      for (Rounding rounding : kEveryRounding)
        ASSERT_EQ(shiftRound64(x, bits, rounding),
                  int64_t(shiftRound(x, bits, rounding)))
            << x << " by " << bits << " bits";
}

TEST(FixedPoint64Test, WrapsAsTheWideForm) {
  for (int64_t x : integers())
    for (unsigned width = 1; width <= 64; ++width) {
      ASSERT_EQ(wrap64(uint64_t(x), width), wrapTo(x, width)) << x;
      // Only the low 64 bits of a wider integer matter.
      const Int128 wide = Int128(x) * 5;
      ASSERT_EQ(wrap64(uint64_t(wide), width), wrapTo(wide, width)) << x;
    }
}

TEST(FixedPoint64Test, ProductsOf32BitsAreThoseOfTheWideForm) {
  std::vector<int64_t> narrow = {INT32_MIN, INT32_MAX, -1, 0, 1};
  for (int64_t x : integers())
    if (x == int32_t(x))
      narrow.push_back(x);
  for (int64_t a : {narrow[0], narrow[1], narrow[2], int64_t(12345)})
    for (int64_t b : narrow)
      for (unsigned bits : {1u, 7u, 31u, 32u, 62u})
        for (Rounding rounding : kEveryRounding)
          for (unsigned width : {8u, 24u, 32u, 64u})
            ASSERT_EQ(
                wrap64(uint64_t(shiftRound64(a * b, bits, rounding)), width),
                productTerm(a, 0, b, 0, width, int(bits), rounding))
                << a << " x " << b << " by " << bits;
}

} // namespace
