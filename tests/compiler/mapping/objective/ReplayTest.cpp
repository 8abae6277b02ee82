// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/objective/: a step message by message, against times by hand
// on `tiny`, whose times are round.

#include "compiler/mapping/objective/Replay.h"

#include "compiler/mapping/result/SliceGraph.h"
#include "tests/compiler/mapping/Networks.h"

#include <gtest/gtest.h>

#include <random>

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
TEST(Replay, AHostOnEachChipSendsToItsOwnCores) {
  const std::string chain = "loihi1,mesh.tiles_x=1,mesh.tiles_y=1,"
                            "mesh.cores_per_tile=1,board.chips_x=2";
  Step inputs(2), outputs(2);
  inputs.burst(host, 0, {{0, 3500}});
  inputs.burst(host, 0, {{1, 3500}});
  outputs.burst(0, 8400, {{host, 0}});
  outputs.burst(1, 8400, {{host, 0}});
  const std::vector<uint32_t> cores = {0, 1};
  const Target one = Target::load(chain),
               each = Target::load(chain + ",board.host_on_each=true");
  EXPECT_DOUBLE_EQ(inputs.on(cores, one).served, 60256);
  EXPECT_DOUBLE_EQ(outputs.on(cores, one).served, 64574);
  EXPECT_DOUBLE_EQ(inputs.on(cores, each).served, 5600);
  EXPECT_DOUBLE_EQ(outputs.on(cores, each).served, 10500);
  // One source that goes to both chips.
  Step both(2);
  both.burst(host, 0, {{1, 3500}, {0, 3500}});
  EXPECT_DOUBLE_EQ(both.on(cores, each).served, 5600);
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

// The plain twin lets tiles act instant by instant. It does so where one link
// of a chip has no delay, here one between chips, which no message takes.
TEST(Replay, TilesThatActAheadEndAStepAsTilesInTheOrderOfTime) {
  std::mt19937 random(1);
  for (const char *name : {"tiny", "loihi2"}) {
    Target target = Target::load(name);
    target.mesh = test::twoTinyChips().mesh;
    target.mesh.tilesX = 8;
    target.mesh.tilesY = 4;
    target.mesh.coresPerTile = 2;
    TimingSet ahead = target.timing(""), instants = ahead;
    ahead.noc.crossing = ahead.noc.east;
    instants.noc.crossing = {};
    for (uint32_t buffer : {1u, 3u, 24u})
      for (uint32_t round = 0; round < 40; ++round) {
        SCOPED_TRACE(testing::Message() << name << buffer << " " << round);
        for (TimingSet *timing : {&ahead, &instants})
          for (PortTiming *port :
               {&timing->noc.east, &timing->noc.west, &timing->noc.north,
                &timing->noc.south, &timing->noc.local})
            port->buffer = buffer;
        const uint32_t slices = 2 + random() % 30;
        Step step(slices);
        std::vector<uint32_t> cores;
        for (uint32_t s = 0; s < slices; ++s) {
          cores.push_back(uint32_t(random() % 32)); // of the first chip
          step.tail[s] = float(random() % 3 * 1000);
        }
        // Few different times, so that many ends are equal.
        auto burst = [&](uint32_t from) {
          std::vector<ReplayStep::Message> sent(random() % 12 + 1);
          for (ReplayStep::Message &message : sent)
            message = {from == host || random() % 8
                           ? uint32_t(random() % slices)
                           : uint32_t(host),
                       float(random() % 3 * 4000)};
          step.burst(from, double(random() % 3) * 1000, sent);
        };
        for (uint32_t i = random() % 10; i > 0; --i)
          burst(host);
        for (uint32_t s = 0; s < slices; ++s)
          for (uint32_t i = random() % 12; i > 0; --i)
            burst(s);
        const StepEnd fast = Replay(cores, target, ahead).run(step),
                      plain = Replay(cores, target, instants).run(step);
        ASSERT_EQ(fast.updated, plain.updated);
        ASSERT_EQ(fast.arrived, plain.arrived);
        ASSERT_EQ(fast.served, plain.served);
        ASSERT_EQ(fast.core, plain.core);
      }
  }
}

} // namespace
