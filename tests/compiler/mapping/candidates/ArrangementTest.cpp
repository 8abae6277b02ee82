// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/Arrangement.h"
#include "tests/compiler/mapping/Networks.h"

#include <gtest/gtest.h>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

MapNetwork twoAndNone() {
  MapNetwork network;
  addPopulation(network, "a", 10);
  addPopulation(network, "none", 0);
  addPopulation(network, "b", 6);
  network.populations[2].accumulators = 2;
  return network;
}

TEST(Arrangement, SlicesComeBackFromTheirCuts) {
  MapNetwork network = twoAndNone();
  const SliceStarts starts{{0, 4, 10}, {0}, {0, 6}};
  const SliceCores cores{3, 1, 1};
  std::vector<Slice> slices = slicesOn(network, starts, cores);
  ASSERT_EQ(slices.size(), 3u);
  // By core, and each behind the accumulators of the one before.
  EXPECT_EQ(slices[0].core, 1u);
  EXPECT_EQ(slices[1].base, 6u);
  EXPECT_EQ(slices[2].first, 0u);
  Cuts cuts = cutsOf(network, slices);
  EXPECT_EQ(cuts.starts, starts);
  EXPECT_EQ(cuts.cores, cores);
}

TEST(Arrangement, ASliceTooLargeForACoreIsHalved) {
  MapNetwork network;
  addPopulation(network, "a", 40);
  Target target = Target::load("tiny"); // 16 neurons on a core
  auto made = arrange(network, target, ChipModel(target), {{0, 40}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->starts, (SliceStarts{{0, 10, 20, 30, 40}}));
  auto packed = pack(*made, Capacity(target), 4);
  ASSERT_TRUE(packed);
  EXPECT_EQ(*packed, (std::vector<uint32_t>{0, 1, 2, 3}));
  EXPECT_FALSE(pack(*made, Capacity(target), 3));
  // However often that has to be.
  MapNetwork large;
  addPopulation(large, "a", 5000);
  made = arrange(large, target, ChipModel(target), {{0, 5000}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->starts[0].size(), 513u);
}

// Lists that are not shared are the plain twin: they are arranged nevertheless,
// and refused where they are packed.
TEST(Arrangement, FeatureMapsWithMoreListsThanOutAxonsAreRefusedAtOnce) {
  const Target target = Target::load("tiny");
  const Capacity capacity(target);
  MapNetwork network;
  addPopulation(network, "a", 16);
  addPopulation(network, "b", 160);
  MapProjection &dealt = connect(
      network, false, 0, 1, [](uint32_t, uint32_t t) -> std::optional<int> {
        if (t % 16 == 0)
          return 1;
        return std::nullopt;
      });
  // A list of each neuron for each 16 targets.
  const SliceStarts starts{{0, 16}, {0, 160}};
  ASSERT_GT(160u, capacity.of[OutAxons] * target.numCores());
  const auto made = arrange(network, target, ChipModel(target), starts);
  ASSERT_TRUE(made);
  EXPECT_FALSE(pack(*made, capacity, uint32_t(target.numCores())));
  dealt.shared = true;
  EXPECT_FALSE(arrange(network, target, ChipModel(target), starts));
}

} // namespace

namespace {

using Row = std::vector<uint32_t>;

TEST(Cut, EqualWorkNotEqualCounts) {
  // Four neurons of work 3 and four of work 1: 16 in all, 8 for each core.
  WorkSums sums = sumUp({{3, 3, 3, 3, 1, 1, 1, 1}});
  EXPECT_EQ(cutByWork(sums, {1}, 1)[0], (Row{0, 8}));
  EXPECT_EQ(cutByWork(sums, {1}, 2)[0], (Row{0, 3, 8}));
  EXPECT_EQ(cutByWork(sums, {1}, 8)[0].size(), 9u);
  EXPECT_EQ(cutByWork(sums, {1}, 100)[0].size(), 9u);
}

TEST(Cut, LargerPopulationsGetMoreParts) {
  WorkSums sums =
      sumUp({std::vector<double>(90, 1), std::vector<double>(10, 1)});
  SliceStarts starts = cutByWork(sums, {1, 1}, 10);
  EXPECT_EQ(starts[0].size() - 1, 9u);
  EXPECT_EQ(starts[1].size() - 1, 1u);
}

TEST(Cut, SmallPopulationsShareCores) {
  WorkSums sums =
      sumUp(std::vector<std::vector<double>>(20, std::vector<double>(4, 1)));
  for (const Row &row : cutByWork(sums, Row(20, 1), 5))
    EXPECT_EQ(row, (Row{0, 4}));
}

TEST(Cut, NeverFewerPartsThanFit) {
  WorkSums sums = sumUp({std::vector<double>(8, 1)});
  EXPECT_EQ(cutByWork(sums, {4}, 1)[0].size() - 1, 4u);
}

TEST(Cut, NoPartIsEmptyWhateverTheWorkIs) {
  WorkSums sums = sumUp({{0, 0, 0, 100, 0, 0}, {}, {0, 0}});
  for (uint32_t cores : {1u, 2u, 5u, 9u}) {
    SliceStarts starts = cutByWork(sums, {1, 1, 1}, cores);
    EXPECT_EQ(starts[1], Row{0});
    for (const Row &row : starts)
      for (size_t k = 1; k < row.size(); ++k)
        EXPECT_LT(row[k - 1], row[k]);
  }
}

// Where nothing takes any time, no cut is better than another.
TEST(Cut, WithoutWorkNothingIsCut) {
  WorkSums sums = sumUp({std::vector<double>(100, 0), {0, 0}});
  EXPECT_EQ(cutByWork(sums, {1, 2}, 4), (SliceStarts{{0, 100}, {0, 1, 2}}));
}

TEST(Cut, AHalf) {
  Row starts{0, 4, 9};
  halve(starts, 1);
  EXPECT_EQ(starts, (Row{0, 4, 6, 9}));
}

} // namespace
