// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests simulator/functional/machine/Machine.cpp: what a machine knows that
// only lets messages travel.

#include "simulator/functional/machine/Machine.h"
#include "tests/simulator/RandomProgram.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace dendrolith;
using namespace dendrolith::sim;

/// Entries by how many steps later they come.
static std::map<uint32_t, uint32_t> delaysOf(const Machine &machine,
                                             const Axon &axon) {
  std::map<uint32_t, uint32_t> entries;
  machine.forEachDelay(
      axon, [&](uint32_t steps, uint32_t count) { entries[steps] += count; });
  return entries;
}

// Every source sends the same messages to the same cores, and each is served as
// long as it is with the lists; the table holds each kind once.
TEST(Machine, TimedMessagesGoWhereThoseWithListsGo) {
  size_t axons = 0, kinds = 0;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomProgram random = test::randomProgram(seed);
    const Machine kept(random.program),
        timed(random.program, Machine::Lists::Timed);
    EXPECT_TRUE(timed.weights().empty());
    EXPECT_TRUE(timed.offsets().empty());
    ASSERT_EQ(timed.sources(), kept.sources());
    for (uint32_t source = 0; source < kept.sources(); ++source) {
      const auto expected = kept.messages(source),
                 found = timed.messages(source);
      ASSERT_EQ(found.size(), expected.size());
      for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(timed.coreOf(found[i]), kept.coreOf(expected[i]));
        const Axon of = kept.axons()[expected[i].axon],
                   is = timed.axons()[found[i].axon];
        EXPECT_EQ(is.core, of.core);
        EXPECT_EQ(is.count, of.count);
        EXPECT_EQ(is.words, of.words);
        EXPECT_EQ(is.delay, of.delay);
        EXPECT_TRUE(is.kind == of.kind);
        EXPECT_EQ(is.uniform, of.uniform);
        EXPECT_EQ(delaysOf(timed, is), delaysOf(kept, of));
      }
    }
    std::set<std::tuple<uint32_t, uint32_t, uint32_t, uint16_t, int, int, bool,
                        uint32_t>>
        all;
    for (size_t i = 0; i < timed.axons().size(); ++i) {
      const Axon is = timed.axons()[i];
      EXPECT_TRUE(all.emplace(is.core, is.count, is.words, is.delay,
                              int(is.kind), is.shift, is.uniform, is.later)
                      .second);
    }
    axons += kept.axons().size();
    kinds += timed.axons().size();
  }
  EXPECT_LT(kinds, axons);
}
