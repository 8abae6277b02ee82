// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/candidates/Reevaluate: which mappings have all of their
// steps replayed.

#include "compiler/mapping/candidates/Reevaluate.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

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
