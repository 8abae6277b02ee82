// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/ToSamples.h"
#include "tests/runtime/TestSupport.h"

#include <cmath>

using namespace dendrolith;
using namespace dendrolith::test;

static Array zeros(std::vector<uint64_t> shape) {
  Array array = Array::ofReals(std::move(shape), {});
  array.real.resize(array.size());
  return array;
}

TEST(ToSamples, AcceptsOneOrManySamples) {
  Array array = Array::ofInts({2, 3}, {1, 2, 3, 4, 5, 6});
  Samples one = toSamples(array, {3}, "input 'x.npy'");
  EXPECT_EQ(one.samples, 1u);
  EXPECT_EQ(one.steps, 2u);
  EXPECT_EQ(one.width(), 3u);
  EXPECT_EQ(one.at(0, 1, 2), 6);
  Samples many = toSamples(array, {}, "input 'x.npy'");
  EXPECT_EQ(many.samples, 2u);
  EXPECT_EQ(many.steps, 3u);
  EXPECT_EQ(many.at(1, 0, 0), 4);
  Samples images = toSamples(zeros({4, 5, 2, 3}), {2, 3}, "input 'x.npy'");
  EXPECT_EQ(images.samples, 4u);
  EXPECT_EQ(images.width(), 6u);
  EXPECT_EQ(images.values.size(), 120u);
}

TEST(ToSamples, NamesExpectedAndFoundShapes) {
  auto error = [](Array array, std::vector<uint64_t> shape) {
    return errorOf([&] { toSamples(array, shape, "input 'x.npy'"); });
  };
  EXPECT_EQ(error(zeros({256, 13}), {12}),
            "input 'x.npy': expected (steps, 12) or (samples, steps, 12), "
            "found (256, 13)");
  EXPECT_EQ(error(zeros({12}), {12}),
            "input 'x.npy': expected (steps, 12) or (samples, steps, 12), "
            "found (12,)");
  EXPECT_EQ(error(zeros({2, 2, 2, 12}), {12}),
            "input 'x.npy': expected (steps, 12) or (samples, steps, 12), "
            "found (2, 2, 2, 12)");
  EXPECT_EQ(error(zeros({}), {}),
            "input 'x.npy': expected (steps,) or (samples, steps), found ()");
  EXPECT_EQ(error(zeros({4, 3, 2}), {2, 3}),
            "input 'x.npy': expected (steps, 2, 3) or (samples, steps, 2, 3), "
            "found (4, 3, 2)");
  EXPECT_EQ(error(zeros({0, 12}), {12}),
            "input 'x.npy': expected at least one sample of one step, found "
            "(0, 12)");
  EXPECT_THROW(toSamples(zeros({0, 5, 12}), {12}, "x"), Error);
}

TEST(ToSamples, RefusesValuesThatAreNoSignal) {
  for (auto [value, text] : std::vector<std::pair<double, const char *>>{
           {NAN, "nan"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}}) {
    Array array = zeros({2, 3, 4});
    array.real[17] = value;
    EXPECT_EQ(errorOf([&] { toSamples(array, {4}, "x"); }),
              std::string("x: expected finite numbers, found ") + text +
                  " at (1, 1, 1)");
  }
  EXPECT_EQ(errorOf([] {
              toSamples(Array::ofInts({1}, {(int64_t(1) << 53) + 1}), {}, "x");
            }),
            "x: expected integers of at most 2^53 in magnitude, found "
            "9007199254740993 at (0,)");
  Array complex;
  complex.kind = Array::NumberKind::Complex;
  complex.shape = {1};
  complex.real = {1, 0};
  EXPECT_EQ(errorOf([&] { toSamples(complex, {}, "x"); }),
            "x: expected real numbers, found complex ones");
}
