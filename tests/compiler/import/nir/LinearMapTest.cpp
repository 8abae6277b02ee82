// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composition of linear maps of all kinds against products of dense matrices.

#include "compiler/import/nir/LinearMap.h"

#include <gtest/gtest.h>
#include <random>

using namespace dendrolith::nir;
using dendrolith::dend::Window;

namespace {

using Matrix = std::vector<double>;

Matrix matrixOf(const LinearMap &map) {
  Matrix all(map.rows * map.cols, 0.0);
  switch (map.kind) {
  case LinearMap::MapForm::Identity:
    for (uint64_t i = 0; i < map.rows; ++i)
      all[i * map.cols + i] = 1;
    break;
  case LinearMap::MapForm::Diagonal:
    for (uint64_t i = 0; i < map.rows; ++i)
      all[i * map.cols + i] = (*map.values)[i];
    break;
  case LinearMap::MapForm::Dense:
    return *map.values;
  case LinearMap::MapForm::Sparse:
    for (size_t i = 0; i < map.values->size(); ++i)
      all[(*map.positions)[i].row * map.cols + (*map.positions)[i].column] +=
          (*map.values)[i];
    break;
  case LinearMap::MapForm::Conv:
    int64_t taps = 0;
    map.window.taps([&](int64_t target, int64_t source, int64_t weight) {
      all[size_t(target) * map.cols + size_t(source)] +=
          (*map.values)[size_t(weight)];
      ++taps;
    });
    EXPECT_EQ(taps, map.window.countTaps());
  }
  return all;
}

Matrix product(const LinearMap &a, const LinearMap &b) {
  Matrix left = matrixOf(a), right = matrixOf(b), all(a.rows * b.cols, 0.0);
  for (uint64_t i = 0; i < a.rows; ++i)
    for (uint64_t k = 0; k < a.cols; ++k)
      for (uint64_t j = 0; j < b.cols; ++j)
        all[i * b.cols + j] += left[i * a.cols + k] * right[k * b.cols + j];
  return all;
}

struct Random {
  std::mt19937 engine;
  int64_t in(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  std::vector<double> values(int64_t count) {
    std::vector<double> all;
    for (int64_t i = 0; i < count; ++i)
      all.push_back(double(in(-8, 8)) / 4); // products and sums are exact
    return all;
  }
  Window window(std::array<int64_t, 3> input, bool pooling) {
    Window w;
    w.input = input;
    w.groups = pooling ? input[0] : input[0] % 2 == 0 ? in(1, 2) : 1;
    w.channels = pooling ? input[0] : w.groups * in(1, 2);
    for (int axis : {0, 1}) {
      w.kernel[axis] = in(1, std::min<int64_t>(3, input[axis + 1]));
      w.stride[axis] = pooling && in(0, 2) ? w.kernel[axis] : in(1, 2);
      w.padding[axis] = in(0, pooling ? w.kernel[axis] / 2 : 1);
      w.padding[axis + 2] = w.padding[axis];
      if (!pooling && w.kernel[axis] * 2 <= input[axis + 1])
        w.dilation[axis] = in(1, 2);
    }
    return w;
  }
  LinearMap map(const Window &w) {
    return convolution(w, values(w.weights()), false, "c");
  }
};

TEST(LinearMap, WindowsComposeAsMatricesDo) {
  int windows = 0, others = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Random random{std::mt19937(seed)};
    Window first = random.window(
        {random.in(1, 3), random.in(3, 9), random.in(3, 9)}, seed % 4 != 0);
    Window second = random.window(
        {first.channels, first.output(0), first.output(1)}, seed % 3 == 0);
    LinearMap before = random.map(first), after = random.map(second);
    LinearMap both = compose(after, before);
    EXPECT_EQ(matrixOf(both), product(after, before)) << seed;
    EXPECT_TRUE(both.shared);
    EXPECT_LE(uint64_t(matrixOf(both).size()), both.rows * both.cols);
    ++(both.kind == LinearMap::MapForm::Conv ? windows : others);
  }
  EXPECT_GT(windows, 80); // pooling stays a window
  EXPECT_GT(others, 80);
}

TEST(LinearMap, AllKindsComposeAddAndLoseRows) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    Random random{std::mt19937(seed)};
    Window w = random.window({2, random.in(2, 4), random.in(2, 4)}, false);
    LinearMap conv = random.map(w);
    auto square = [&](uint64_t size) {
      LinearMap map = identity(size);
      if (random.in(0, 2) == 0)
        return map;
      if (random.in(0, 1))
        return diagonal(random.values(int64_t(size)), false, "d");
      map.kind = LinearMap::MapForm::Dense;
      map.values =
          std::make_shared<const Matrix>(random.values(int64_t(size * size)));
      return map;
    };
    LinearMap behind = compose(square(conv.rows), conv);
    LinearMap all = compose(behind, square(conv.cols));
    EXPECT_EQ(matrixOf(compose(conv, square(conv.cols))).size(),
              conv.rows * conv.cols);
    Matrix expected = matrixOf(all), sum = matrixOf(add(all, conv));
    Matrix other = matrixOf(conv);
    std::vector<bool> keep;
    for (uint64_t i = 0; i < conv.rows; ++i)
      keep.push_back(random.in(0, 1));
    Matrix kept = matrixOf(keepRows(all, keep));
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(sum[i], expected[i] + other[i]);
      EXPECT_EQ(kept[i], keep[i / conv.cols] ? expected[i] : 0.0);
    }
  }
}

TEST(LinearMap, ScalesOfWholeChannelsStayWindows) {
  Window w;
  w.input = {2, 2, 2};
  w.channels = 1;
  w.kernel = {2, 2};
  LinearMap conv = convolution(w, {1, 2, 3, 4, 5, 6, 7, 8}, true, "c");
  LinearMap even = diagonal({2, 2, 2, 2, 3, 3, 3, 3}, true, "s");
  LinearMap uneven = diagonal({2, 2, 2, 1, 3, 3, 3, 3}, true, "s");
  EXPECT_EQ(compose(conv, even).kind, LinearMap::MapForm::Conv);
  EXPECT_EQ(*compose(conv, even).values, (Matrix{2, 4, 6, 8, 15, 18, 21, 24}));
  EXPECT_NE(compose(conv, uneven).kind, LinearMap::MapForm::Conv);
  EXPECT_EQ(matrixOf(compose(conv, uneven)), product(conv, uneven));
  EXPECT_EQ(*compose(diagonal({10}, true, "t"), conv).values,
            (Matrix{10, 20, 30, 40, 50, 60, 70, 80}));
}

} // namespace
