// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/candidates/Interleave: neurons that go to cores in turn.

#include "compiler/mapping/candidates/Interleave.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

TEST(Interleave, GroupsInARowGoToDifferentParts) {
  MapNetwork network;
  addPopulation(network, "a", 60);
  addPopulation(network, "b", 2);
  SliceStarts starts = {{0, 1, 2, 60}, {0, 2}};
  const NeuronOrder order = interleaved(network, starts, 4, 1);
  EXPECT_EQ(starts[0], (std::vector<uint32_t>{0, 20, 40, 60}));
  std::vector<uint32_t> part(60, 9);
  for (uint32_t at = 0; at < 60; ++at)
    part[order[0][at]] = at / 20;
  for (uint32_t row = 0; row < 60; row += 12) {
    for (uint32_t n = row; n < row + 12; ++n)
      EXPECT_EQ(part[n], part[n / 4 * 4]) << n;
    EXPECT_EQ(part[row] + part[row + 4] + part[row + 8], 3u) << row;
    EXPECT_NE(part[row], part[row + 4]) << row;
  }
  // Whole already.
  EXPECT_TRUE(order[1].empty());
  EXPECT_EQ(starts[1], (std::vector<uint32_t>{0, 2}));
}

TEST(Interleave, NoPartStaysEmpty) {
  MapNetwork network;
  addPopulation(network, "a", 7);
  SliceStarts starts = {{0, 2, 4, 7}};
  const NeuronOrder order = interleaved(network, starts, 16, 1);
  EXPECT_EQ(order[0].size(), 7u);
  for (size_t k = 0; k + 1 < starts[0].size(); ++k)
    EXPECT_LT(starts[0][k], starts[0][k + 1]);
}

/// 2000 neurons of which a hundred in a row spike together, each to its
/// neighbour, so that in order a core has all the work of a step.
MapNetwork waves() {
  MapNetwork network;
  addPopulation(network, "a", 2000);
  connect(network, false, 0, 0,
          [](uint32_t s, uint32_t t) -> std::optional<int> {
            if (t / 100 == s / 100 && (t + s) % 3 == 0)
              return 1;
            return std::nullopt;
          });
  network.samples = 1;
  network.sampledTicks = 20;
  network.populationRate = {std::vector<double>(2000, 0.05)};
  network.populationActivity.emplace_back();
  for (uint32_t n = 0; n < 2000; ++n)
    network.populationActivity[0].push_back(uint64_t(1) << (n / 100));
  return network;
}

double stepTerm(const Mapping &mapping) {
  for (const MappingTerm &term : mapping.terms)
    if (term.name == "step")
      return term.value;
  return -1;
}

TEST(Interleave, NeighboursThatSpikeTogetherComeApart) {
  MappingOptions options;
  options.goal = "time";
  const Mapping mapping =
      mapped(waves(), Target::load("loihi1-study"), options);
  ASSERT_EQ(mapping.order.size(), 1u);
  EXPECT_FALSE(mapping.order[0].empty());
  double inOrder = 0;
  for (const TradeOff &row : mapping.tradeOff)
    if (row.how == "given order" && (inOrder == 0 || row.stepNs < inOrder))
      inOrder = row.stepNs;
  EXPECT_LT(stepTerm(mapping), 0.7 * inOrder);
}

} // namespace
