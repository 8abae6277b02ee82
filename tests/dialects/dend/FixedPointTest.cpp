// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FixedPoint.h against definitions written out in wide integers: a value is
// searched or divided with remainder, never shifted.
#include "dialects/dend/FixedPoint.h"

#include <gtest/gtest.h>

#include <random>

using namespace dendrolith::dend;

namespace {

constexpr Rounding kRoundings[] = {Rounding::Floor, Rounding::TowardZero,
                                   Rounding::NearestEven, Rounding::NearestUp};
constexpr Overflow kOverflows[] = {Overflow::Wrap, Overflow::Saturate};

Int128 power(unsigned bits) {
  Int128 value = 1;
  while (bits--)
    value *= 2;
  return value;
}

// The number of the range congruent to x: add or subtract whole ranges.
int64_t naiveWrap(Int128 x, unsigned width) {
  Int128 range = power(width), low = -power(width - 1);
  Int128 rest = (x - low) % range;
  if (rest < 0)
    rest += range;
  return int64_t(low + rest);
}

int64_t naiveSaturate(Int128 x, unsigned width) {
  Int128 low = -power(width - 1), high = power(width - 1) - 1;
  return int64_t(x < low ? low : x > high ? high : x);
}

// x / d rounded, by comparing twice the remainder with the divisor.
Int128 naiveDivide(Int128 x, Int128 d, Rounding rounding) {
  Int128 quotient = x / d, rest = x % d;
  if (rest < 0) {
    quotient -= 1;
    rest += d;
  } // now the floor
  if (rest == 0)
    return quotient;
  switch (rounding) {
  case Rounding::Floor:
    return quotient;
  case Rounding::TowardZero:
    return x < 0 ? quotient + 1 : quotient;
  case Rounding::NearestEven:
    if (2 * rest == d)
      return quotient % 2 == 0 ? quotient : quotient + 1;
    return 2 * rest > d ? quotient + 1 : quotient;
  case Rounding::NearestUp:
    return 2 * rest >= d ? quotient + 1 : quotient;
  }
  return 0;
}

int64_t naiveRescale(Int128 x, int e, unsigned wOut, int eOut, Rounding r,
                     Overflow o) {
  Int128 exact = e >= eOut ? x * power(unsigned(e - eOut))
                           : naiveDivide(x, power(unsigned(eOut - e)), r);
  return o == Overflow::Wrap ? naiveWrap(exact, wOut)
                             : naiveSaturate(exact, wOut);
}

TEST(FixedPoint, RangesOfEveryWidth) {
  for (unsigned width = 1; width <= 64; ++width) {
    EXPECT_EQ(Int128(lowest(width)), -power(width - 1));
    EXPECT_EQ(Int128(highest(width)), power(width - 1) - 1);
  }
}

TEST(FixedPoint, NarrowingExhaustive) {
  for (unsigned width = 1; width <= 9; ++width)
    for (int x = -2100; x <= 2100; ++x) {
      ASSERT_EQ(wrapTo(x, width), naiveWrap(x, width)) << x << " " << width;
      ASSERT_EQ(saturateTo(x, width), naiveSaturate(x, width));
    }
}

TEST(FixedPoint, ShiftRoundExhaustive) {
  for (unsigned bits = 0; bits <= 12; ++bits)
    for (int x = -2100; x <= 2100; ++x)
      for (Rounding rounding : kRoundings)
        ASSERT_EQ(int64_t(shiftRound(x, bits, rounding)),
                  int64_t(naiveDivide(x, power(bits), rounding)))
            << x << " >> " << bits << " rounding " << int(rounding);
}

TEST(FixedPoint, RescaleExhaustiveOnSmallWidths) {
  for (unsigned w = 1; w <= 6; ++w)
    for (int e = -4; e <= 4; ++e)
      for (unsigned wOut = 1; wOut <= 6; ++wOut)
        for (int64_t x = lowest(w); x <= highest(w); ++x)
          for (Rounding r : kRoundings)
            for (Overflow o : kOverflows)
              ASSERT_EQ(rescale(x, w, e, wOut, 0, r, o),
                        naiveRescale(x, e, wOut, 0, r, o))
                  << x << " w " << w << " e " << e << " to " << wOut;
}

TEST(FixedPoint, RescaleRandomOnLargeWidths) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    unsigned w = 1 + random() % 64, wOut = 1 + random() % 64;
    int64_t x = wrapTo(Int128(int64_t(random())), w);
    // The naive product must stay within 127 bits.
    int e = int(random() % 124) - 62;
    Rounding r = kRoundings[random() % 4];
    Overflow o = kOverflows[random() % 2];
    ASSERT_EQ(rescale(x, w, e, wOut, 0, r, o),
              naiveRescale(x, e, wOut, 0, r, o))
        << x << " e " << e << " to " << wOut;
  }
}

TEST(FixedPoint, FarExponents) {
  for (int64_t x : {int64_t(-5), int64_t(5), INT64_MIN, INT64_MAX}) {
    int64_t extreme = x < 0 ? lowest(16) : highest(16);
    for (int up : {64, 100, 2046}) {
      EXPECT_EQ(rescale(x, 64, up, 16, 0, Rounding::Floor, Overflow::Saturate),
                extreme);
      EXPECT_EQ(rescale(x, 64, up, 16, 0, Rounding::Floor, Overflow::Wrap), 0);
    }
    for (int down : {65, 127, 128, 200, 2046}) {
      EXPECT_EQ(
          rescale(x, 64, -down, 16, 0, Rounding::Floor, Overflow::Saturate),
          x < 0 ? -1 : 0);
      for (Rounding r :
           {Rounding::TowardZero, Rounding::NearestEven, Rounding::NearestUp})
        EXPECT_EQ(rescale(x, 64, -down, 16, 0, r, Overflow::Wrap), 0);
    }
  }
  EXPECT_EQ(rescale(0, 8, 2046, 8, 0, Rounding::Floor, Overflow::Saturate), 0);
}

TEST(FixedPoint, ElementwiseExhaustive) {
  for (unsigned width = 1; width <= 5; ++width)
    for (int64_t a = lowest(width); a <= highest(width); ++a) {
      EXPECT_EQ(negFixed(a, width), naiveWrap(-a, width));
      EXPECT_EQ(absFixed(a, width), naiveWrap(a < 0 ? -a : a, width));
      for (int64_t b = lowest(width); b <= highest(width); ++b) {
        ASSERT_EQ(addFixed(a, b, width, Overflow::Wrap),
                  naiveWrap(a + b, width));
        ASSERT_EQ(addFixed(a, b, width, Overflow::Saturate),
                  naiveSaturate(a + b, width));
        ASSERT_EQ(subFixed(a, b, width, Overflow::Wrap),
                  naiveWrap(a - b, width));
        ASSERT_EQ(subFixed(a, b, width, Overflow::Saturate),
                  naiveSaturate(a - b, width));
      }
    }
  EXPECT_EQ(negFixed(INT64_MIN, 64), INT64_MIN);
  EXPECT_EQ(absFixed(INT64_MIN, 64), INT64_MIN);
  EXPECT_EQ(addFixed(INT64_MAX, 1, 64, Overflow::Wrap), INT64_MIN);
  EXPECT_EQ(addFixed(INT64_MAX, 1, 64, Overflow::Saturate), INT64_MAX);
}

TEST(FixedPoint, ShiftExhaustive) {
  for (unsigned width = 1; width <= 6; ++width)
    for (int64_t x = lowest(width); x <= highest(width); ++x)
      for (int64_t amount = -10; amount <= 10; ++amount)
        for (Rounding r : kRoundings) {
          Int128 exact = amount >= 0
                             ? x * power(unsigned(amount))
                             : naiveDivide(x, power(unsigned(-amount)), r);
          ASSERT_EQ(shiftFixed(x, width, amount, r), naiveWrap(exact, width));
        }
  EXPECT_EQ(shiftFixed(-1, 8, INT64_MIN, Rounding::Floor), -1);
  EXPECT_EQ(shiftFixed(-1, 8, INT64_MAX, Rounding::Floor), 0);
}

TEST(FixedPoint, LeadingZeros) {
  for (unsigned width = 1; width <= 8; ++width)
    for (int64_t x = lowest(width); x <= highest(width); ++x) {
      int zeros = 0;
      for (Int128 bit = power(width - 1); bit > (x < 0 ? -x : x); bit /= 2)
        ++zeros;
      ASSERT_EQ(clzFixed(x, width), zeros) << x << " " << width;
    }
  EXPECT_EQ(clzFixed(INT64_MIN, 64), 0);
}

TEST(FixedPoint, ProductTermRescalesBeforeAdding) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 50000; ++i) {
    int64_t a = int32_t(random()), b = int32_t(random());
    int ea = int(random() % 20) - 10, eb = int(random() % 20) - 10;
    unsigned width = 1 + random() % 64;
    Rounding r = kRoundings[random() % 4];
    ASSERT_EQ(
        productTerm(a, ea, b, eb, width, 0, r),
        naiveRescale(Int128(a) * b, ea + eb, width, 0, r, Overflow::Wrap));
  }
  // The widest product: 2^126 must survive until it is rounded.
  EXPECT_EQ(productTerm(INT64_MIN, -63, INT64_MIN, -63, 4, 0, Rounding::Floor),
            1);
}

} // namespace
