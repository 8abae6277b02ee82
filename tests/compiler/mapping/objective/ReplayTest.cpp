// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/objective/: a step message by message, against times by hand
// on `tiny`, whose times are round.

#include "compiler/mapping/objective/Replay.h"

#include "compiler/mapping/result/SliceGraph.h"
#include "tests/compiler/mapping/Networks.h"

#include <gtest/gtest.h>

using namespace dendrolith;

namespace {

struct Step : ReplayStep {
  explicit Step(uint32_t slices) { tail.resize(slices); }
  void burst(uint32_t from, double work,
             const std::vector<ReplayStep::Message> &sent) {
    messages.insert(messages.end(), sent.begin(), sent.end());
    bursts.push_back({from, float(work), uint32_t(messages.size())});
  }
  StepEnd on(const std::vector<uint32_t> &cores,
             const Target &target = Target::load("tiny")) const {
    const TimingSet timing = target.timing("");
    return Replay(cores, target, timing).run(*this);
  }
};

TEST(Replay, OneMessageTakesWhatTheReadmeOfTimingWorksOut) {
  Step step(2);
  step.burst(0, 2500, {{1, 850}}); // update and spike; message_out is 300
  StepEnd end = step.on({0, 1});
  EXPECT_DOUBLE_EQ(end.updated, 2800);
  EXPECT_DOUBLE_EQ(end.arrived, 2800 + 8000); // one hop east
  EXPECT_DOUBLE_EQ(end.served, 2800 + 8000 + 850);
  EXPECT_EQ(end.core, 1u);
}

// From the last column of a chip to the first one of the next, and back.
TEST(Replay, ALinkBetweenChipsHasTimesOfItsOwn) {
  Step step(2);
  step.burst(0, 2500, {{1, 850}, {1, 850}, {1, 850}});
  for (const std::vector<uint32_t> &cores :
       {std::vector<uint32_t>{1, 4}, std::vector<uint32_t>{4, 1}}) {
    StepEnd end = step.on(cores, test::twoTinyChips());
    // Messages follow each other by 2000, the interval of the link.
    EXPECT_DOUBLE_EQ(end.arrived, 2800 + 1500 + 40000 + 2500 + 2 * 2000);
  }
  EXPECT_DOUBLE_EQ(step.on({0, 5}, test::twoTinyChips()).arrived,
                   2800 + 1500 + 2 * 4000 + 40000 + 2500 + 2 * 2000);
}

TEST(Replay, WorkAfterTheLastMessageClosesAStep) {
  Step step(2);
  step.tail = {100000, 0};
  step.burst(0, 2500, {{1, 850}});
  StepEnd end = step.on({0, 1});
  EXPECT_DOUBLE_EQ(end.updated, 102800);
  EXPECT_DOUBLE_EQ(end.served, 102800);
  EXPECT_EQ(end.core, 0u);
}

TEST(Replay, TheHostTakesEverythingAtOnce) {
  Step step(1);
  step.burst(host, 0, {{0, 850}});
  step.burst(0, 2500, {{host, 0}});
  StepEnd end = step.on({0});
  EXPECT_DOUBLE_EQ(end.arrived, 2800 + 4000);
  EXPECT_DOUBLE_EQ(end.served, 6800); // 300 + 4000 + 850 is earlier
}

// The cycle engine's times of the same step are in HostTest.cpp.
TEST(Replay, TheHostIsOnTheFirstChip) {
  const Target chain = Target::load("loihi1,mesh.tiles_x=1,mesh.tiles_y=1,"
                                    "mesh.cores_per_tile=1,board.chips_x=2");
  Step inputs(2), outputs(2);
  inputs.burst(host, 0, {{0, 3500}});
  inputs.burst(host, 0, {{1, 3500}});
  outputs.burst(0, 8400, {{host, 0}});
  outputs.burst(1, 8400, {{host, 0}});
  EXPECT_DOUBLE_EQ(inputs.on({0, 1}, chain).served, 60256);
  EXPECT_DOUBLE_EQ(outputs.on({0, 1}, chain).served, 64574);
}

TEST(Replay, AServerServesOneMessageAfterTheOther) {
  Step step(2);
  std::vector<ReplayStep::Message> many(10, {1, 50000});
  step.burst(0, 0, many);
  EXPECT_DOUBLE_EQ(step.on({0, 1}).served, 300 + 8000 + 10 * 50000);
}

TEST(Replay, AFullQueueStallsTheSenderAndThoseBehindIt) {
  // The first core sends far more than queues hold to a slow one, then one
  // message to another core.
  auto made = [](double service) {
    Step step(3);
    step.burst(0, 0,
               std::vector<ReplayStep::Message>(200, {1, float(service)}));
    step.burst(0, 0, {{2, 1}});
    return step;
  };
  const StepEnd quick = made(1).on({0, 1, 2}), slow = made(1e6).on({0, 1, 2});
  EXPECT_GT(slow.updated, 100e6); // nearly all were served before it was done
  EXPECT_LT(slow.updated, 200e6);
  EXPECT_LT(quick.updated, 1e6);
  EXPECT_DOUBLE_EQ(slow.served, 300 + 8000 + 200e6);
}

TEST(Replay, AStepKnowsNothingOfTheOneBefore) {
  const Target target = Target::load("tiny");
  const TimingSet timing = target.timing("");
  Step busy(3), quiet(3);
  for (uint32_t from : {0u, 1u})
    busy.burst(from, 100,
               std::vector<ReplayStep::Message>(30 + from, {2, 5000}));
  quiet.burst(1, 2500, {{2, 850}});
  Replay both({0, 1, 2}, target, timing);
  for (const Step *step : {&busy, &quiet, &busy}) {
    const StepEnd alone = step->on({0, 1, 2}), after = both.run(*step);
    EXPECT_EQ(after.updated, alone.updated);
    EXPECT_EQ(after.arrived, alone.arrived);
    EXPECT_EQ(after.served, alone.served);
    EXPECT_EQ(after.core, alone.core);
  }
}

TEST(Replay, CoresOfATileShareItsPort) {
  // Two senders on one tile take the port in turn, on two tiles they do not.
  Target target = Target::load("tiny");
  target.mesh.coresPerTile = 2;
  const TimingSet timing = target.timing("");
  Step step(4);
  for (uint32_t from : {0u, 1u})
    step.burst(from, 0, std::vector<ReplayStep::Message>(20, {from + 2, 0}));
  const double shared = Replay({0, 1, 2, 3}, target, timing).run(step).updated;
  const double apart = Replay({0, 2, 1, 3}, target, timing).run(step).updated;
  EXPECT_GE(shared, 39 * double(timing.noc.local.interval));
  EXPECT_LT(apart, shared);
}

TEST(Replay, SlicesOfACoreWorkOneAfterTheOther) {
  Step step(3);
  step.tail = {1000, 5000, 0};
  step.burst(0, 2000, {{2, 850}});
  step.burst(1, 3000, {{2, 850}});
  EXPECT_DOUBLE_EQ(step.on({0, 0, 1}).updated, 2300 + 1000 + 3300 + 5000);
  EXPECT_DOUBLE_EQ(step.on({0, 1, 2}).updated, 3300 + 5000);
}

// Each of two destinations is reached by a copy of one message, and the engine
// hands over one.
TEST(Replay, AMulticastIsOneMessage) {
  Target many = Target::load("tiny");
  many.mesh.multicast = true;
  Step step(3);
  step.burst(0, 2500, {{2, 850}, {1, 850}});
  const StepEnd apart = step.on({0, 1, 2}), once = step.on({0, 1, 2}, many);
  EXPECT_GE(apart.updated, 2500 + 2 * 300);
  EXPECT_DOUBLE_EQ(once.updated, 2500 + 300);
  EXPECT_LT(once.served, apart.served);
}

// Where everything happens at multiples of `grid`, a way takes whole cycles.
TEST(Replay, AClockedMeshRoundsUp) {
  Target target = Target::load("tiny");
  TimingSet timing = target.timing("");
  timing.noc.grid = 1000;
  Step step(2);
  step.burst(0, 2500, {{1, 850}});
  // Handed over at 2800, which is 3000 on the grid; inject 2000, one hop east
  // 4000, eject 3000.
  EXPECT_DOUBLE_EQ(Replay({0, 1}, target, timing).run(step).arrived,
                   3000 + 2000 + 4000 + 3000);
}

} // namespace
