// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests runtime/image/Tables.cpp, runtime/image/Tables.h.

#include "runtime/image/Tables.h"

#include "targets/support/Error.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace dendrolith;

TEST(EntryDelays, GivesBackWhatWasStored) {
  const std::vector<int16_t> weights = {-32768, 0, 32767, 5};
  for (const std::vector<uint16_t> &delays : {std::vector<uint16_t>{0, 0, 0, 1},
                                              {62, 62, 62, 62},
                                              {0, 300, 65535, 7}}) {
    const std::string bytes = encodeWeights(weights, delays);
    EXPECT_EQ(decodeI16(bytes), weights);
    EXPECT_EQ(decodeDelays(bytes), delays);
    const PackedWeights packed(bytes);
    EXPECT_TRUE(packed.hasDelays());
    EXPECT_EQ(packed.longest(),
              *std::max_element(delays.begin(), delays.end()));
    for (size_t i = 0; i < delays.size(); ++i)
      EXPECT_EQ(packed.delay(i), delays[i]);
  }
}

TEST(EntryDelays, WeightsWithoutDelaysHaveTheirBytesAlone) {
  const std::vector<int16_t> weights = {1, -2, 300};
  EXPECT_EQ(encodeWeights(weights, {}), encodeI16(weights));
  EXPECT_EQ(encodeWeights(weights, {0, 0, 0}), encodeI16(weights));
  EXPECT_EQ(encodeWeights({}, {}), "");
  EXPECT_TRUE(decodeDelays(encodeI16(weights)).empty());
  EXPECT_TRUE(decodeDelays("").empty());
  EXPECT_FALSE(PackedWeights(encodeI16(weights)).hasDelays());
}

TEST(EntryDelays, OtherTablesHaveNoneAndNoneMayEndEarly) {
  const std::string bytes = encodeWeights({1, 2}, {3, 4});
  // So many bytes a table without delays has; that it ends with zeros is not
  // looked at.
  const size_t plain = encodeI16({1, 2}).size();
  EXPECT_THROW(decodeU32(bytes), Error);
  for (size_t size = 1; size < bytes.size(); ++size)
    if (size != plain) {
      EXPECT_THROW(decodeDelays(bytes.substr(0, size)), Error) << size;
    }
  EXPECT_THROW(decodeDelays(bytes + "x"), Error);
}
