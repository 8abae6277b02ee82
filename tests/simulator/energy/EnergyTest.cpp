// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bill is counts times prices: a price that doubles doubles its own line and
// no other, under both of Loihi 1's tables; engine and threads show nowhere.

#include "simulator/energy/Energy.h"
#include "targets/loader/Target.h"
#include "tests/simulator/timing/Scenario.h"

#include <fmt/format.h>
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

// Energies of parts add up to that of the whole as decimal numbers.

namespace {

/// The shortest digits that mean this double, which result.json has.
std::string shown(const ExactSum &sum) {
  return fmt::format("{}", sum.value());
}

TEST(ExactSum, AddsDecimals) {
  ExactSum sum;
  sum.add(3, 0.1); // 0.30000000000000004 in binary
  EXPECT_EQ(shown(sum), "0.3");
  sum.add(7, 23.6);
  EXPECT_EQ(shown(sum), "165.5");
  sum.add(1000000007, 72.8);
  EXPECT_EQ(shown(sum), "72800000675.1");
  for (int i = 0; i < 1000000; ++i)
    sum.add(1, 0.001);
  EXPECT_EQ(shown(sum), "72800001675.1");
}

TEST(ExactSum, TakesPricesOfAnySize) {
  ExactSum tiny, large;
  tiny.add(2, 1.25e-13);
  EXPECT_DOUBLE_EQ(tiny.value(), 2.5e-13);
  large.add(UINT64_MAX, 1e9);
  EXPECT_DOUBLE_EQ(large.value(), 1.8446744073709552e28);
}

TEST(Pricer, PartsAddUpToTheBill) {
  const CostTable table = CostTable::load("davies2018", Target::load("loihi1"));
  const Pricer pricer(table);
  Counts run;
  CoreCounts &a = run.cores[0], &b = run.cores[1];
  a[Counter::SynopsDense] = 1000003;
  a[Counter::WithinTile] = 77;
  a[Counter::UpdatesActive] = 999999937;
  b[Counter::SynopsSparse] = 12345679;
  b[Counter::HopsEw] = 31;
  ExactSum sum;
  for (const CoreCounts &part : {a, b}) {
    ASSERT_TRUE(pricer.energy(part));
    sum.add(1, *pricer.energy(part));
  }
  EXPECT_EQ(sum.value(), price(run, table, 0).total);
}

TEST(Pricer, UnpricedAloneIsNotNought) {
  const CostTable table = CostTable::load("davies2018", Target::load("loihi1"));
  const Pricer pricer(table);
  CoreCounts counts;
  EXPECT_EQ(pricer.energy(counts), 0); // nothing happened, which costs nothing
  counts[Counter::Barriers] = 3;
  EXPECT_FALSE(pricer.energy(counts));
  counts[Counter::SpikesBinary] = 1; // in the update
  EXPECT_EQ(pricer.energy(counts), 0);
  counts[Counter::HopsEw] = 2;
  EXPECT_EQ(pricer.energy(counts), 6);
}

} // namespace
} // namespace dendrolith::sim
