// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/fast/SideBySide.h: what is chosen for the processor
// gives the bits of the portable loop.

#include "dialects/dend/fast/SideBySide.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace dendrolith::dend;

namespace {

template <typename T, typename F>
void expectEqual(const std::vector<T> &x, const std::vector<T> &y, F f) {
  for (size_t count : {size_t(0), size_t(1), size_t(7), x.size()}) {
    std::vector<T> portable(x.size()), chosen(x.size());
    fillPortably(portable.data(), int64_t(count), f, x.data(), y.data());
    fillSideBySide(chosen.data(), int64_t(count), f, x.data(), y.data());
    EXPECT_EQ(0, std::memcmp(portable.data(), chosen.data(),
                             portable.size() * sizeof(T)));
  }
}

TEST(SideBySide, IntegersAreThoseOfThePortableLoop) {
  std::mt19937_64 random(3);
  std::vector<int64_t> x, y;
  for (int i = 0; i < 1003; ++i) {
    x.push_back(int64_t(random()) >> (33 + random() % 31));
    y.push_back(int64_t(random()) >> (33 + random() % 31));
  }
  expectEqual(x, y, [](int64_t a, int64_t b) { return a * b; });
  expectEqual(x, y, [](int64_t a, int64_t b) { return a < b ? a : b; });
  expectEqual(x, y, [](int64_t a, int64_t b) {
    return wrap64(uint64_t(shiftRound64(a * b, 9, Rounding::NearestEven)), 24);
  });
}

TEST(SideBySide, RealsAreThoseOfThePortableLoop) {
  std::mt19937_64 random(3);
  std::vector<double> x, y;
  for (int i = 0; i < 1003; ++i) {
    x.push_back(std::ldexp(double(int64_t(random())), int(random() % 90) - 90));
    y.push_back(std::ldexp(double(int64_t(random())), int(random() % 90) - 90));
  }
  x[3] = y[4] = std::numeric_limits<double>::quiet_NaN();
  x[5] = y[6] = std::numeric_limits<double>::infinity();
  expectEqual(x, y, [](double a, double b) { return a * b + a; });
  expectEqual(x, y, [](double a, double b) { return b < a ? b : a; });
}

} // namespace
