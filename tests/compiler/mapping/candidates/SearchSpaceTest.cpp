// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/candidates/SearchSpace: how candidates are judged, and how a
// search is ended and reweighed.

#include "compiler/mapping/candidates/SearchSpace.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// 64 neurons that three inputs drive.
MapNetwork drivenNetwork() {
  MapNetwork network;
  addInput(network, "in", 3);
  addPopulation(network, "a", 64);
  dense(network, true, 0, 0);
  network.inputRate = {{1, 1, 1}};
  network.populationRate = {std::vector<double>(64, 0.1)};
  return network;
}

class SearchSpaceTest : public ::testing::Test {
protected:
  SearchSpaceTest() { control->reweighing = weights; }

  /// The mapping onto so many cores.
  Candidate judged(uint32_t cores) {
    const SearchSpace space(network, target, options, model, progress);
    std::vector<uint32_t> starts;
    for (uint32_t k = 0; k <= cores; ++k)
      starts.push_back(64 * k / cores);
    return space.cut(network, {}, "cut", {starts}, cores).value();
  }

  MapNetwork network = drivenNetwork();
  Target target = Target::load("loihi1");
  ChipModel model{target};
  std::shared_ptr<SearchControl> control = std::make_shared<SearchControl>();
  std::shared_ptr<Reweighing> weights = std::make_shared<Reweighing>();
  MappingOptions options;
  Progress progress{nullptr, 0};
};

TEST_F(SearchSpaceTest, PartsOfAStepCountAsTheyWereReweighed) {
  const Evaluation plain = judged(4).eval;
  options.control = control;
  EXPECT_EQ(judged(4).eval.stepPs, plain.stepPs);
  weights->update = 2;
  weights->barrier = 3;
  const Evaluation weighed = judged(4).eval;
  EXPECT_DOUBLE_EQ(weighed.updatePs, 2 * plain.updatePs);
  EXPECT_DOUBLE_EQ(weighed.networkPs, plain.networkPs);
  EXPECT_DOUBLE_EQ(weighed.stepPs,
                   plain.stepPs + plain.updatePs + 2 * plain.barrierPs);
  EXPECT_NEAR(weighed.staticPj / plain.staticPj, weighed.stepPs / plain.stepPs,
              1e-9);
  EXPECT_EQ(weighed.eventsPj(), plain.eventsPj());
}

TEST_F(SearchSpaceTest, LoadsOfNeuronsCountByTheirNumberInTheModel) {
  const SearchSpace plain(network, target, options, model, progress);
  weights->load["a"].assign(64, 1);
  weights->load["a"][5] = 3;
  options.control = control;
  options.numbers = {std::vector<uint32_t>(64)};
  for (uint32_t n = 0; n < 64; ++n)
    options.numbers[0][n] = 63 - n;
  const SearchSpace space(network, target, options, model, progress);
  for (uint32_t n = 0; n < 64; ++n)
    EXPECT_FLOAT_EQ(space.loads()[0][n],
                    plain.loads()[0][n] * (n == 58 ? 3 : 1))
        << n;
  // A slice's loads are means over its neurons, in any order.
  NeuronOrder order = {std::vector<uint32_t>(64)};
  for (uint32_t n = 0; n < 64; ++n)
    order[0][n] = (n + 58) % 64;
  const SliceStarts starts = {{0, 1, 2, 64}};
  const auto one = plain.arranged(*plain.inOrder(order), order, starts);
  const auto other = space.arranged(*space.inOrder(order), order, starts);
  EXPECT_FLOAT_EQ(other->steps.update[0], 3 * one->steps.update[0]);
  EXPECT_EQ(other->steps.update[1], one->steps.update[1]);
}

// A search that has looked at nothing is the plain twin.
TEST_F(SearchSpaceTest, WhatWasLookedAtBeforeIsTheSameOnceMore) {
  const SearchSpace space(network, target, options, model, progress);
  NeuronOrder order = {std::vector<uint32_t>(64)};
  for (uint32_t n = 0; n < 64; ++n)
    order[0][n] = (n + 58) % 64;
  for (int round = 0; round < 2; ++round)
    for (const SliceStarts &starts :
         {SliceStarts{{0, 8, 16, 32, 64}}, SliceStarts{{0, 16, 32, 48, 64}}})
      for (const NeuronOrder &in : {NeuronOrder(), order})
        for (uint32_t cores : {2u, 3u, 4u, 4u}) {
          SCOPED_TRACE(cores);
          const SearchSpace fresh(network, target, options, model, progress);
          const auto plain =
              fresh.cut(*fresh.inOrder(in), in, "cut", starts, cores);
          const auto known =
              space.cut(*space.inOrder(in), in, "cut", starts, cores);
          ASSERT_EQ(plain.has_value(), known.has_value());
          if (!plain)
            continue;
          EXPECT_EQ(known->order, plain->order);
          EXPECT_EQ(known->starts, plain->starts);
          EXPECT_EQ(known->cores, plain->cores);
          EXPECT_EQ(known->eval.stepPs, plain->eval.stepPs);
          EXPECT_EQ(known->eval.energyPj(), plain->eval.energyPj());
        }
}

TEST_F(SearchSpaceTest, OneThatWasEndedSaysWhy) {
  const SearchSpace free(network, target, options, model, progress);
  EXPECT_FALSE(free.isOver());
  EXPECT_EQ(free.cutShort(3), "");
  options.seconds = 1e-9;
  const SearchSpace late(network, target, options, model, progress);
  EXPECT_TRUE(late.isOver());
  EXPECT_EQ(late.cutShort(3), "1e-09 seconds were over: best of 3 mappings");
  options.seconds = 0;
  control->mustStop = [] { return true; };
  Progress watched(control.get(), 1);
  const SearchSpace stopped(network, target, options, model, watched);
  EXPECT_TRUE(stopped.isOver());
  EXPECT_EQ(stopped.cutShort(12), "interrupted: best of 12 mappings");
}

} // namespace

// compiler/mapping/candidates/SearchSpace: which mappings have all of their
// steps replayed.

namespace {

/// 400 neurons that hear their neighbours, and of which other ones spike in
/// each of 64 ticks.
MapNetwork restless() {
  MapNetwork network;
  addPopulation(network, "a", 400);
  connect(network, false, 0, 0,
          [](uint32_t s, uint32_t t) -> std::optional<int> {
            if ((s + 400 - t) % 400 < 40)
              return 1;
            return std::nullopt;
          });
  network.samples = 1;
  network.sampledTicks = 64;
  network.populationRate = {std::vector<double>(400, 0.1)};
  network.populationActivity.emplace_back();
  for (uint32_t n = 0; n < 400; ++n) {
    uint64_t ticks = 0;
    for (uint32_t tick = 0; tick < 64; ++tick)
      if ((n * 7 + tick * 13 + n * tick) % 11 == 0)
        ticks |= uint64_t(1) << tick;
    network.populationActivity[0].push_back(ticks);
  }
  return network;
}

class ReevaluateTest : public ::testing::Test {
protected:
  std::vector<Candidate> looks() const {
    std::vector<Candidate> found;
    for (uint32_t cores : {1u, 2u, 4u, 8u, 16u, 16u, 32u, 64u}) {
      std::vector<uint32_t> starts;
      for (uint32_t k = 0; k <= cores; ++k)
        starts.push_back(400 * k / cores);
      found.push_back(space.cut(network, {}, "cut", {starts}, cores).value());
    }
    return found;
  }
  Evaluation inFull(const Candidate &each) const {
    const auto made = space.arranged(network, {}, each.starts);
    return evaluate(made->steps, each.cores, target, model);
  }

  const MapNetwork network = restless();
  const Target target = Target::load("loihi1");
  const ChipModel model{target};
  const MappingOptions options;
  Progress progress{nullptr, 0};
  const SearchSpace space{network, target, options, model, progress};
};

TEST_F(ReevaluateTest, ALookReplaysAFewStepsAndACloserOneAllOfThem) {
  std::vector<Candidate> found = looks();
  for (const Candidate &each : found) {
    ASSERT_TRUE(each.brief);
    EXPECT_TRUE(each.eval.rough);
    EXPECT_FALSE(inFull(each).rough);
    EXPECT_GT(each.brief->steps.replayed.size(), SearchSpace::kLookSteps);
    EXPECT_EQ(each.eval.stepPs,
              space.evaluated(*each.brief, each.cores, SearchSpace::kLookSteps)
                  .stepPs);
  }
  const std::vector<Candidate> before = found;
  reevaluate(space, found);
  const double best = space.valueOf(space.bestOf(found));
  size_t closer = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_FALSE(found[i].brief);
    const bool isFull = found[i].eval.stepPs == inFull(found[i]).stepPs;
    closer += isFull;
    EXPECT_TRUE(isFull || found[i].eval.rough) << i;
    // Only what is far from the best one stays as it is.
    EXPECT_TRUE(isFull || space.valueOf(found[i]) > 1.05 * best) << i;
    EXPECT_TRUE(isFull || found[i].eval.stepPs == before[i].eval.stepPs) << i;
  }
  EXPECT_FALSE(space.bestOf(found).eval.rough);
  EXPECT_GT(closer, 0u);
  EXPECT_LT(closer, found.size());
  // Two equal candidates are both evaluated.
  EXPECT_EQ(found[4].eval.stepPs, found[5].eval.stepPs);
}

// Replaying all steps of all of them is the plain twin.
TEST_F(ReevaluateTest, TheBestIsTheBestOfAllThatAreReplayedInFull) {
  std::vector<Candidate> found = looks(), full = looks();
  reevaluate(space, found);
  for (Candidate &each : full)
    each.eval = inFull(each);
  EXPECT_EQ(space.bestOf(found).eval.cores, space.bestOf(full).eval.cores);
  EXPECT_EQ(space.bestOf(found).eval.stepPs, space.bestOf(full).eval.stepPs);
}

} // namespace
