// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/LoadTokens.h"

#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "tests/runtime/TestSupport.h"

using namespace dendrolith;
using namespace dendrolith::test;

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
