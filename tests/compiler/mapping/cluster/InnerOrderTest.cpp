// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/cluster/InnerOrder.cpp.

#include "compiler/mapping/cluster/InnerOrder.h"
#include "compiler/mapping/cluster/Order.h"
#include "compiler/mapping/result/Measure.h"

#include "compiler/mapping/cluster/Cluster.h"
#include "tests/compiler/mapping/Networks.h"

#include <algorithm>
#include <numeric>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// 0 to `count` - 1 in an order drawn by `seed`.
std::vector<uint32_t> shuffle(uint32_t count, uint32_t seed) {
  std::vector<uint32_t> drawn(count);
  std::iota(drawn.begin(), drawn.end(), 0);
  std::mt19937 random(seed);
  for (uint32_t k = count; k > 1; --k)
    std::swap(drawn[k - 1], drawn[random() % k]);
  return drawn;
}

/// Source s reaches nine neurons in a row of a line of 200, whose numbers are
/// drawn: `line` has the number of each place.
MapNetwork lineOf(const std::vector<uint32_t> &line) {
  MapNetwork network;
  addInput(network, "in", uint32_t(line.size()));
  addPopulation(network, "p", uint32_t(line.size()));
  std::vector<uint32_t> place(line.size());
  for (uint32_t k = 0; k < line.size(); ++k)
    place[line[k]] = k;
  connect(network, true, 0, 0,
          [&](uint32_t s, uint32_t t) -> std::optional<int> {
            if (place[t] < s || place[t] >= s + 9)
              return std::nullopt;
            return 1;
          });
  return network;
}

Clusters oneCore(const MapNetwork &network) {
  Clusters clusters;
  clusters.cores = 1;
  for (const MapPopulation &population : network.populations)
    clusters.core.emplace_back(population.size, 0);
  return clusters;
}

double wordsIn(const MapNetwork &network) {
  Target target = Target::load("loihi1");
  std::vector<Slice> slices = slicesOf(network, oneCore(network));
  for (const FitRow &row : measure(network, target, slices))
    if (row.resource == "synapse memory")
      return double(row.used);
  throw Error("no row of words");
}

TEST(InnerOrder, AShuffledLineIsFoundAgain) {
  const Target target = Target::load("loihi1");
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    const std::vector<uint32_t> line = shuffle(200, seed);
    const MapNetwork network = lineOf(line);
    NeuronOrder order = orderOf(network, target, oneCore(network));
    ASSERT_EQ(order[0].size(), 200u);
    // From either end.
    std::vector<uint32_t> back(line.rbegin(), line.rend());
    EXPECT_TRUE(order[0] == line || order[0] == back) << "seed " << seed;
    std::vector<uint32_t> inOrder(200);
    std::iota(inOrder.begin(), inOrder.end(), 0);
    EXPECT_EQ(wordsIn(permute(network, order)), wordsIn(lineOf(inOrder)));
    EXPECT_GT(wordsIn(network), wordsIn(lineOf(inOrder)));
  }
}

TEST(InnerOrder, WhatGainsNothingStays) {
  MapNetwork network;
  addInput(network, "in", 40);
  addPopulation(network, "p", 100);
  dense(network, true, 0, 0);
  std::vector<uint32_t> order = shuffle(100, 1);
  const std::vector<uint32_t> before = order;
  cluster::orderInside(network, Target::load("loihi1").synapses, 0,
                       {{0, 100, 0}}, order);
  EXPECT_EQ(order, before);
}

TEST(InnerOrder, NeuronsStayInTheirGroup) {
  const std::vector<uint32_t> line = shuffle(200, 7);
  std::vector<uint32_t> order(200);
  std::iota(order.begin(), order.end(), 0);
  cluster::orderInside(lineOf(line), Target::load("loihi1").synapses, 0,
                       {{0, 90, 0}, {90, 110, 0}}, order);
  std::vector<uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.begin() + 90);
  std::sort(sorted.begin() + 90, sorted.end());
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
}

TEST(InnerOrder, NeverMoreWords) {
  const Target target = Target::load("loihi1");
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    const MapNetwork network = randomNetwork(seed);
    const NeuronOrder order = orderOf(network, target, oneCore(network));
    EXPECT_LE(wordsIn(permute(network, order)), wordsIn(network));
  }
}

} // namespace
