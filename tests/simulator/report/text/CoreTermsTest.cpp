// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/CoreTerms.h"

#include "targets/loader/Target.h"

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

/// Two cores of loihi1 in two tiles, and a link between these.
sim::Counts twoCores() {
  sim::Counts counts;
  counts.tiles = 2;
  counts.cores[0][Counter::UpdatesActive] = 100;
  counts.cores[0][Counter::UpdatesInactive] = 50;
  counts.cores[0][Counter::Flits] = 40;
  counts.cores[5][Counter::SynopsDense] = 1000;
  counts.cores[5][Counter::SynopsSparse] = 500;
  counts.links = {{0, 1, 40}};
  return counts;
}

TEST(CoreTerms, AreCountsTimesTimes) {
  const Target chip = Target::load("loihi1");
  const TimingSet &timing = chip.timing("davies2018");
  const StepBound found = boundOf(twoCores(), chip, timing, 10);
  ASSERT_EQ(found.cores.size(), 2u);
  EXPECT_DOUBLE_EQ(found.cores[0].neurons,
                   (100. * double(timing.updateActive) +
                    50. * double(timing.updateInactive)) /
                       1e4);
  EXPECT_DOUBLE_EQ(found.cores[0].link,
                   40. * double(timing.noc.local.interval) / 1e4);
  EXPECT_EQ(found.cores[1].core, 5u);
  EXPECT_DOUBLE_EQ(found.cores[1].synapses,
                   (1000. * double(timing.perSynapse.dense) +
                    500. * double(timing.perSynapse.sparse)) /
                       1e4);
  EXPECT_DOUBLE_EQ(found.bound, found.cores[1].synapses);
  EXPECT_EQ(found.binding, "synapses of core 5");
  EXPECT_EQ(found.part, "receive");
  EXPECT_DOUBLE_EQ(found.barrier, double(timing.barrierTime(2, 1)) / 1e3);
}

TEST(CoreTerms, ABarrierBindsWhereNothingElseHappens) {
  const Target chip = Target::load("loihi1");
  sim::Counts counts;
  counts.tiles = 1;
  counts.cores[0];
  const StepBound found = boundOf(counts, chip, chip.timing(), 1);
  EXPECT_EQ(found.binding, "barrier");
  EXPECT_DOUBLE_EQ(found.bound, found.barrier);
}

TEST(CoreTerms, PhasesThatFollowEachOtherHaveNone) {
  const Target chip = Target::load("catalyst-n1");
  EXPECT_THROW(boundOf(twoCores(), chip, chip.timing(), 10), Error);
}

} // namespace
} // namespace dendrolith::report
