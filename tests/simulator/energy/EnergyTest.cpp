// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bill is counts times prices: a price that doubles doubles its own line and
// no other, under both of Loihi 1's tables; engine and threads show nowhere.

#include "simulator/energy/Energy.h"
#include "tests/simulator/timing/Scenario.h"

#include <gtest/gtest.h>

namespace dendrolith::sim {
namespace {

class Tables : public testing::TestWithParam<const char *> {
protected:
  CostTable table = CostTable::load(GetParam(), Target::load("loihi1"));
  RunResult run = runFunctional(twoCores(), Target::load("tiny"), bothInputs(),
                                RunOptions());
};

TEST_P(Tables, ADoubledPriceDoublesItsLineAlone) {
  Energy before = price(run.counts, table, 0);
  int doubled = 0;
  for (size_t i = 0; i < table.prices.size(); ++i) {
    if (table.prices[i].second.form != Price::Decision::Priced)
      continue;
    CostTable other = table;
    other.prices[i].second.value *= 2;
    Energy after = price(run.counts, other, 0);
    ASSERT_EQ(after.events.size(), before.events.size());
    double line = 0;
    for (size_t e = 0; e < before.events.size(); ++e) {
      bool same = before.events[e].event == table.prices[i].first;
      EXPECT_EQ(after.events[e].energy,
                before.events[e].energy * (same ? 2 : 1))
          << before.events[e].event << " when " << table.prices[i].first
          << " doubles";
      if (same)
        line = before.events[e].energy;
    }
    EXPECT_NEAR(after.total, before.total + line, 1e-9);
    doubled += line > 0;
  }
  EXPECT_GE(doubled, 4); // synops, updates, messages, hops
}

TEST_P(Tables, NoEventIsPricedTwice) {
  // What is inside another event has no energy of its own, and its home has.
  Energy energy = price(run.counts, table, 0);
  for (const EventEnergy &event : energy.events) {
    if (event.price.form != Price::Decision::Inside)
      continue;
    EXPECT_EQ(event.energy, 0) << event.event;
    for (const std::string &home : eventLeaves(event.price.inside)) {
      const Price *at = table.find(home);
      ASSERT_TRUE(at) << home;
      EXPECT_EQ(at->form, Price::Decision::Priced) << home;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Loihi1, Tables,
                         testing::Values("davies2018", "silicon-fit-2025"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 6);
                         });

TEST(Energy, DoesNotDependOnThreadsOrTheOrderOfSamples) {
  CostTable table = CostTable::load("davies2018", Target::load("loihi1"));
  std::vector<std::vector<std::vector<double>>> samples = {
      {{1, 1}}, {{0, 1}}, {{1, 0}}, {{0, 0}}, {{1, 1}}};
  auto total = [&](unsigned threads) {
    RunOptions options;
    options.threads = threads;
    RunResult run = runFunctional(twoCores(), Target::load("tiny"),
                                  {{"in", test::samples(samples)}}, options);
    return price(run.counts, table, 0).total;
  };
  const double one = total(1);
  EXPECT_GT(one, 0);
  EXPECT_EQ(total(3), one);
  std::reverse(samples.begin(), samples.end());
  EXPECT_EQ(total(1), one);
}

} // namespace
} // namespace dendrolith::sim
