// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests simulator/functional/machine/InAxonTable.cpp,
// simulator/functional/machine/InAxonTable.h.

#include "simulator/functional/machine/InAxonTable.h"

#include "targets/support/Error.h"

#include <gtest/gtest.h>

using namespace dendrolith;
using namespace dendrolith::sim;

// Axons of few forms in any order, on several cores.
TEST(InAxonTable, GivesBackWhatWasAdded) {
  std::vector<Axon> axons;
  for (uint32_t i = 0; i < 1000; ++i)
    axons.push_back({i * 7, i * 5, i * 3, i % 4, i % 3, i / 250,
                     static_cast<uint16_t>(i % 2),
                     i % 5 ? ListKind::Sparse : ListKind::Dense,
                     static_cast<uint8_t>(i % 6), i % 7 == 0});
  InAxonTable table;
  table.reserve(axons.size());
  for (const Axon &axon : axons)
    table.add(axon);
  ASSERT_EQ(table.size(), axons.size());
  for (size_t i = 0; i < axons.size(); ++i) {
    const Axon found = table[i], &expected = axons[i];
    EXPECT_EQ(found.weight, expected.weight) << i;
    EXPECT_EQ(found.offset, expected.offset) << i;
    EXPECT_EQ(found.accumulator, expected.accumulator) << i;
    EXPECT_EQ(found.count, expected.count) << i;
    EXPECT_EQ(found.words, expected.words) << i;
    EXPECT_EQ(found.core, expected.core) << i;
    EXPECT_EQ(found.delay, expected.delay) << i;
    EXPECT_TRUE(found.kind == expected.kind) << i;
    EXPECT_EQ(found.shift, expected.shift) << i;
    EXPECT_EQ(found.uniform, expected.uniform) << i;
  }
}

TEST(InAxonTable, RefusesWhat32BitsDoNotNumber) {
  InAxonTable table;
  Axon axon;
  axon.weight = UINT32_MAX;
  EXPECT_THROW(table.add(axon), Error);
  axon.weight = UINT32_MAX - 1;
  table.add(axon);
  EXPECT_EQ(table[0].weight, UINT32_MAX - 1);
}
