// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table targets/loader/chip/Counters.def: names, and the order of what
// result.json and bills print.

#include "targets/loader/chip/Counters.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

using namespace dendrolith;

namespace {

TEST(Counters, NamesAreUniqueAndReversible) {
  for (size_t i = 0; i < kCounters; ++i) {
    Counter c = static_cast<Counter>(i);
    EXPECT_EQ(counterOf(counterName(c)), c) << counterName(c);
  }
  EXPECT_FALSE(counterOf("synops"));
  for (const std::string &event : allEvents())
    EXPECT_TRUE(counterOf(event)) << event;
}

// An object that a table decides as a whole stands together in a bill.
TEST(Counters, MembersOfAnObjectFollowEachOther) {
  std::map<std::string, unsigned> orders;
  for (Counter event : energyEvents()) {
    const std::string name = counterName(event);
    auto at =
        orders.try_emplace(name.substr(0, name.find('.')), rowOf(event).order);
    EXPECT_EQ(at.first->second, rowOf(event).order) << name;
  }
}

TEST(Counters, WhatIsNoEnergyEvent) {
  std::vector<std::string> names;
  for (size_t i = 0; i < kCounters; ++i)
    if (rowOf(static_cast<Counter>(i)).order == 0)
      names.push_back(counterName(static_cast<Counter>(i)));
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "steps", "tokens", "inputs", "outputs", "flits",
                "host.messages", "host.flits", "host.hops_ew", "host.hops_ns",
                "host.crossings", "synops.graded.dense", "synops.graded.sparse",
                "synops.graded.conv", "stalls"}));
}

TEST(Counters, ChipAndCycleEngine) {
  EXPECT_TRUE(isChipLevel(Counter::Steps));
  EXPECT_FALSE(isChipLevel(Counter::Inputs));
  EXPECT_TRUE(isCycleOnly(Counter::Stalls));
  EXPECT_FALSE(isCycleOnly(Counter::Barriers));
  EXPECT_TRUE(isRare(Counter::Stalls));
  EXPECT_TRUE(isRare(Counter::Crossings));
  EXPECT_FALSE(isRare(Counter::HopsEw));
}

} // namespace
