// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lowered network in the order of a mapping: what counts in positions
// follows.

#include "compiler/lowering/Reorder.h"
#include "compiler/lowering/Engines.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

using Order = std::vector<uint32_t>;

/// Population "a" of six neurons, of which 2 and 3 run the second program.
LoweredNetwork lowered() {
  LoweredNetwork network;
  addPopulation(network.map, "a", 6);
  addPopulation(network.map, "b", 3);
  dense(network.map, false, 0, 1);
  for (uint32_t first : {0, 2, 4}) {
    MapRun run;
    run.first = first;
    run.program = first == 2;
    network.map.populations[0].runs.push_back(run);
  }
  network.populations.resize(2);
  LoweredPopulation &a = network.populations[0];
  a.microcode.runs = {{0, 2, 0}, {2, 2, 1}, {4, 2, 0}};
  a.runs = a.microcode.runs;
  return network;
}

TEST(Reorder, ProgramsFollowTheirNeurons) {
  LoweredNetwork network = lowered();
  reorder(network, {{0, 1, 4, 5, 3, 2}, {}});
  const LoweredPopulation &a = network.populations[0];
  EXPECT_EQ(a.order, (Order{0, 1, 4, 5, 3, 2}));
  ASSERT_EQ(a.runs.size(), 2u);
  EXPECT_EQ(a.runs[0].count, 4u);
  EXPECT_EQ(a.runs[1].first, 4u);
  EXPECT_EQ(a.runs[1].program, 1u);
  EXPECT_EQ(network.map.populations[0].runs.size(), 2u);
  EXPECT_EQ(a.microcode.runs.size(), 3u); // still of the model's neurons
  EXPECT_TRUE(network.populations[1].order.empty());
}

TEST(Reorder, OrdersAreComposed) {
  LoweredNetwork network = lowered();
  reorder(network, {{5, 4, 3, 2, 1, 0}, {}});
  reorder(network, {{0, 2, 4, 1, 3, 5}, {2, 0, 1}});
  EXPECT_EQ(network.populations[0].order, (Order{5, 3, 1, 4, 2, 0}));
  EXPECT_EQ(network.populations[1].order, (Order{2, 0, 1}));
  NeuronOrder numbers = numbersByPosition(network, {{}, {10, 11, 12}});
  EXPECT_EQ(numbers[0], network.populations[0].order);
  EXPECT_EQ(numbers[1], (Order{12, 10, 11}));
  reorder(network, {});
  EXPECT_EQ(network.populations[1].order, (Order{2, 0, 1}));
}

TEST(Reorder, NumbersWithoutAnOrderStay) {
  NeuronOrder numbers = numbersByPosition(lowered(), {{}, {1, 2, 0}});
  EXPECT_TRUE(numbers[0].empty());
  EXPECT_EQ(numbers[1], (Order{1, 2, 0}));
}

TEST(Reorder, ValuesAreGatheredByPosition) {
  std::vector<int64_t> values = {0, 1, 10, 11, 20, 21, 30, 31};
  Order order = {3, 0, 2, 1};
  EXPECT_EQ((GroupNeurons{1, 2, order}.gather(values, 2)),
            (std::vector<int64_t>{0, 1, 20, 21}));
  EXPECT_EQ((GroupNeurons{1, 2, {}}.gather(values, 2)),
            (std::vector<int64_t>{10, 11, 20, 21}));
}

} // namespace
