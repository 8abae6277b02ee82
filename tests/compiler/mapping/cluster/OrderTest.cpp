// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/cluster/Order.cpp.

#include "compiler/mapping/cluster/Order.h"
#include "compiler/mapping/cluster/Cluster.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

TEST(Order, CoresThenProgramsThenNumbers) {
  MapNetwork network;
  addPopulation(network, "p", 8);
  addPopulation(network, "q", 3);
  for (uint32_t first : {0u, 3u, 6u}) {
    MapRun run;
    run.first = first;
    run.program = first == 3 ? 1 : 2;
    network.populations[0].runs.push_back(run);
  }
  Clusters clusters;
  clusters.cores = 2;
  clusters.core = {{0, 1, 0, 0, 1, 1, 0, 1}, {0, 0, 1}};
  NeuronOrder order = orderOf(network, Target::load("loihi1"), clusters);
  EXPECT_EQ(order[0], (std::vector<uint32_t>{3, 0, 2, 6, 4, 5, 1, 7}));
  EXPECT_TRUE(order[1].empty());
  std::vector<Slice> slices = slicesOf(network, clusters);
  ASSERT_EQ(slices.size(), 4u);
  EXPECT_EQ(slices[1].population, 1u);
  EXPECT_EQ(slices[1].base, 4u);
  EXPECT_EQ(slices[2].first, 4u);
  EXPECT_EQ(slices[2].core, 1u);
}

TEST(Order, RangesStayWhole) {
  MapNetwork network;
  addPopulation(network, "p", 6);
  Clusters clusters;
  clusters.cores = 2;
  clusters.core = {{1, 1, 0, 0, 1, 1}};
  std::vector<std::vector<uint32_t>> ranges = {{0, 2, 4, 6}};
  EXPECT_EQ(orderOf(network, Target::load("loihi1"), clusters, ranges)[0],
            (std::vector<uint32_t>{2, 3, 0, 1, 4, 5}));
  std::vector<Slice> slices = slicesOf(network, clusters, ranges);
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_EQ(slices[1].core, 1u);
  EXPECT_EQ(slices[2].first, 4u);
  EXPECT_EQ(slices[2].base, 2u);
}

} // namespace
