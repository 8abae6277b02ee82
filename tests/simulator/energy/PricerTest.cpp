// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Energies of parts add up to that of the whole as decimal numbers.

#include "simulator/energy/Pricer.h"

#include "simulator/energy/Energy.h"
#include "targets/loader/Target.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace dendrolith::sim {
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
