// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/LoadSamples.h"

#include "runtime/arrays/ToSamples.h"
#include "runtime/host/Files.h"
#include "tests/runtime/TestSupport.h"

#include <cmath>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

const ScratchDirectory samplesFolder;

std::string writtenSamples(std::string_view bytes) {
  const std::string path = samplesFolder.file("x.npy");
  writeAside(path, bytes);
  return path;
}

/// The bytes that one value takes in memory.
size_t width(const Samples &samples) {
  return samples.values.visit(
      [](const auto &values) { return sizeof(values[0]); });
}

Samples saved(const Array &array, const std::string &dtype) {
  const std::string file = writtenSamples(formatNpy(array, dtype));
  return loadSamples(file, {3}, "input");
}

} // namespace

// The plain way, over an array of the widest type, must give the same.
TEST(LoadSamples, EveryTypeGivesWhatTheArrayHas) {
  Array array = Array::ofInts({2, 3}, {0, 1, 2, 100, 7, 127});
  for (auto [dtype, bytes] :
       std::vector<std::pair<const char *, size_t>>{{"|u1", 1},
                                                    {"|i1", 1},
                                                    {"<u2", 2},
                                                    {"<i2", 2},
                                                    {"<i4", 4},
                                                    {"<u4", 4},
                                                    {"<i8", 4},
                                                    {"<u8", 4},
                                                    {"<f4", 4},
                                                    {"<f8", 8}}) {
    Samples samples = saved(array, dtype);
    EXPECT_EQ(width(samples), bytes) << dtype;
    Samples plain = toSamples(array, {3}, "input");
    ASSERT_EQ(samples.values.size(), plain.values.size()) << dtype;
    for (size_t i = 0; i < plain.values.size(); ++i)
      EXPECT_EQ(samples.values[i], plain.values[i]) << dtype << ", " << i;
    EXPECT_EQ(samples.samples, 1u);
    EXPECT_EQ(samples.steps, 2u);
  }
}

TEST(LoadSamples, BooleansAreBytes) {
  Samples samples = saved(Array::ofInts({1, 3}, {0, 1, 1}), "|b1");
  EXPECT_EQ(width(samples), 1u);
  EXPECT_EQ(samples.at(0, 0, 1), 1);
}

TEST(LoadSamples, WideIntegersThatFitNoneOfTheTypesAreReadAllTheSame) {
  for (int64_t large : {int64_t(1) << 31, -(int64_t(1) << 40)}) {
    Samples samples = saved(Array::ofInts({1, 3}, {0, large, 1}), "<i8");
    EXPECT_EQ(samples.at(0, 0, 1), double(large));
  }
  EXPECT_EQ(saved(Array::ofInts({1, 3}, {0, 4294967295, 1}), "<u4").at(0, 0, 1),
            4294967295.0);
}

TEST(LoadSamples, RefusesAsThePlainWayDoes) {
  for (auto [value, dtype] : std::vector<std::pair<double, const char *>>{
           {NAN, "<f4"}, {INFINITY, "<f8"}, {-INFINITY, "<f4"}}) {
    Array array = Array::ofReals({2, 3}, {0, 0, 0, 0, value, 0});
    std::string plain = errorOf([&] { toSamples(array, {3}, "input"); });
    EXPECT_NE(plain.find("(1, 1)"), std::string::npos);
    EXPECT_EQ(errorOf([&] { saved(array, dtype); }), plain);
  }
  const std::string huge =
      writtenSamples(formatNpy(Array::ofInts({1, 3}, {0, 1, 2})) + "!");
  EXPECT_NE(errorOf([&] { loadSamples(huge, {3}, "input"); }).find("too long"),
            std::string::npos);
  EXPECT_EQ(errorOf([&] { saved(Array::ofInts({2, 2}, {0, 1, 2, 3}), ""); }),
            "input: expected (steps, 3) or (samples, steps, 3), found (2, 2)");
}

// A long input of which one element is 1 takes a byte for each.
TEST(LoadSamples, ManyWholeNumbersTakeAByteEach) {
  constexpr uint64_t steps = 1500000; // of 3 values: more than four million
  std::vector<double> values(steps * 3);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = double(i % 251) - 124;
  auto load = [&](const char *dtype) {
    return loadSamples(
        writtenSamples(formatNpy(Array::ofReals({steps, 3}, values), dtype)),
        {3}, "input");
  };
  for (const char *dtype : {"<f4", "<f8"}) {
    const Samples samples = load(dtype);
    EXPECT_EQ(width(samples), 1u) << dtype;
    ASSERT_EQ(samples.values.size(), values.size());
    for (size_t i = 0; i < values.size(); i += 12345)
      EXPECT_EQ(samples.values[i], values[i]);
    EXPECT_EQ(samples.values[values.size() - 1], values.back());
  }
  for (double other : {128.0, -129.0, 0.5, 1e30}) {
    values[4000000] = other;
    const Samples samples = load("<f4");
    EXPECT_EQ(width(samples), 4u) << other;
    EXPECT_EQ(samples.values[4000000], double(float(other)));
    EXPECT_EQ(samples.values[4000001], values[4000001]);
  }
  values[4000000] = NAN;
  EXPECT_EQ(errorOf([&] { load("<f4"); }),
            "input: expected finite numbers, found nan at (1333333, 1)");
}
