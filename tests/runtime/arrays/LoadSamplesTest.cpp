// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/LoadSamples.h"

#include "runtime/arrays/Npy.h"
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

namespace {

const ScratchDirectory tokensFolder;

/// Loads an array for a vocabulary of 4.
LoadedTokens loaded(const Array &array) {
  const std::string path = tokensFolder.file("x.npy");
  writeAside(path, formatNpy(array));
  return loadTokens(path, 4, "input");
}

std::string tokensRefusal(const Array &array) {
  return errorOf([&] { loaded(array); });
}

} // namespace

TEST(LoadTokens, IdsStayIds) {
  for (const char *dtype : {"|u1", "<i2", "<i8", "<u8"}) {
    LoadedTokens one = loaded(Array::ofInts({3}, {2, 0, 3}, dtype));
    EXPECT_TRUE(one.single);
    EXPECT_TRUE(one.samples.tokens);
    EXPECT_EQ(one.samples.steps, 3u);
    EXPECT_EQ(one.samples.width(), 4u);
    EXPECT_EQ(one.samples.values.size(), 3u);
    EXPECT_EQ(one.samples.at(0, 2, 3), 1);
    EXPECT_EQ(one.samples.at(0, 2, 2), 0);
  }
  LoadedTokens two = loaded(Array::ofInts({2, 2}, {1, 0, 3, 2}));
  EXPECT_FALSE(two.single);
  EXPECT_EQ(two.samples.at(1, 0, 3), 1);
  two.samples.keep(1);
  EXPECT_EQ(two.samples.values.size(), 2u);
}

TEST(LoadTokens, VectorsAreTakenAsTheyAre) {
  LoadedTokens two = loaded(Array::ofReals({1, 4}, {0, 1, 0, 0}));
  EXPECT_TRUE(two.single);
  EXPECT_FALSE(two.samples.tokens);
  EXPECT_EQ(two.samples.at(0, 0, 1), 1);
  LoadedTokens three = loaded(Array::ofInts({1, 1, 4}, {1, 0, 0, 1}));
  EXPECT_FALSE(three.single);
  EXPECT_FALSE(three.samples.tokens);
}

// Two axes of which the last is as long as the vocabulary.
TEST(LoadTokens, RowsWithOneOneAreVectors) {
  LoadedTokens vectors =
      loaded(Array::ofInts({2, 4}, {0, 0, 1, 0, 1, 0, 0, 0}));
  EXPECT_FALSE(vectors.samples.tokens);
  EXPECT_TRUE(vectors.single);
  EXPECT_EQ(vectors.samples.steps, 2u);
  LoadedTokens ids = loaded(Array::ofInts({2, 4}, {0, 0, 1, 0, 1, 2, 0, 0}));
  EXPECT_TRUE(ids.samples.tokens);
  EXPECT_EQ(ids.samples.samples, 2u);
  EXPECT_EQ(ids.samples.steps, 4u);
}

TEST(LoadTokens, NumbersThatAreNoIds) {
  EXPECT_EQ(tokensRefusal(Array::ofInts({2, 2}, {0, 1, 4, 0})),
            "input: expected token ids, integers from 0 to 3, found 4 at "
            "sample 1, step 0");
  EXPECT_EQ(tokensRefusal(Array::ofInts({2}, {0, -1})),
            "input: expected token ids, integers from 0 to 3, found -1 at "
            "sample 0, step 1");
  EXPECT_EQ(tokensRefusal(Array::ofReals({3}, {0, 1, 1.5})),
            "input: expected token ids, integers from 0 to 3, found a number "
            "of another type, 1.5 at sample 0, step 2");
  EXPECT_EQ(tokensRefusal(Array::ofReals({2}, {2, 1})),
            "input: expected token ids, integers from 0 to 3, found a number "
            "of another type, 2 at sample 0, step 0; store ids as integers");
  EXPECT_EQ(tokensRefusal(Array::ofInts({1, 2, 3}, {0, 0, 0, 0, 0, 0})),
            "input: expected token ids (steps,) or (samples, steps), or "
            "vectors of 0 and 1 (steps, 4) or (samples, steps, 4), found "
            "(1, 2, 3)");
}
