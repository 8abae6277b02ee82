// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/search/Exchange: swaps and annealing of vertices, beside the
// best of all parts; and compiler/mapping/search/LineCut beside the best of all
// cuts, and compiler/mapping/search/LineOrder.

#include "compiler/mapping/search/Exchange.h"
#include "compiler/mapping/cluster/Random.h"
#include "compiler/mapping/search/LineCut.h"
#include "compiler/mapping/search/LineOrder.h"
#include "tests/compiler/mapping/Networks.h"

#include <set>

using namespace dendrolith;
using namespace dendrolith::cluster;
using namespace dendrolith::test;

namespace {

/// Neurons that are connected at random, as a hypergraph on cores that hold
/// `room` of them.
struct Bench {
  Bench(uint32_t neurons, uint32_t room, uint64_t seed)
      : target(Target::load("loihi1-study")), limits(target, options) {
    addPopulation(network, "p", neurons);
    connect(network, false, 0, 0,
            [&](uint32_t s, uint32_t t) -> std::optional<int> {
              if (hashOf(seed, s * neurons + t) % 4 == 0)
                return 1;
              return std::nullopt;
            });
    target.limits.compartmentsPerCore = room;
    limits = CoreLimits(target, options);
    vertices = verticesOf(network, options);
    graph = hypergraphOf(network, target, options, vertices, limits);
    limits.setCores(network, target, graph, neurons / room);
  }

  /// Messages of a partition, counted net by net.
  double messages(const std::vector<uint32_t> &part, double own,
                  double other) const {
    double sum = 0;
    for (uint32_t e = 0; e < graph.nets(); ++e) {
      std::set<uint32_t> reached;
      for (uint64_t i = graph.pins.begin[e]; i < graph.pins.begin[e + 1]; ++i)
        reached.insert(part[graph.pins.value[i]]);
      for (uint32_t p : reached)
        sum += graph.rate[e] * (p == part[graph.source[e]] ? own : other);
    }
    return sum;
  }

  Target target;
  MapNetwork network;
  ClusterOptions options;
  CoreLimits limits;
  Vertices vertices;
  Hypergraph graph;
};

/// The fewest messages over all partitions into two halves.
double leastOfHalves(const Bench &bench, double own, double other) {
  const uint32_t n = bench.graph.vertices();
  double least = 1e9;
  for (uint32_t mask = 0; mask < (1u << n); ++mask) {
    if (uint32_t(__builtin_popcount(mask)) != n / 2)
      continue;
    std::vector<uint32_t> part;
    for (uint32_t v = 0; v < n; ++v)
      part.push_back(mask >> v & 1);
    least = std::min(least, bench.messages(part, own, other));
  }
  return least;
}

std::vector<uint32_t> inTurn(uint32_t vertices, uint32_t parts) {
  std::vector<uint32_t> part;
  for (uint32_t v = 0; v < vertices; ++v)
    part.push_back(v % parts);
  return part;
}

TEST(Exchange, AnnealingFindsTheBestHalvesOfFullCores) {
  const std::vector<double> between = {1, 1.5, 1.5, 1}, host = {1, 1};
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    Bench bench(12, 6, seed);
    Parts parts(bench.graph, bench.limits, 2, inTurn(12, 2),
                {between.data(), host.data()});
    Exchange(bench.graph, bench.limits, parts).anneal(seed, 8000);
    EXPECT_EQ(parts.excess(), 0) << seed;
    EXPECT_NEAR(parts.cost(), leastOfHalves(bench, 1, 1.5), 1e-9) << seed;
    EXPECT_NEAR(parts.cost(), bench.messages(parts.all(), 1, 1.5), 1e-9);
  }
}

TEST(Exchange, SwapsLowerTheCostWhereNoVertexCanMove) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    Bench bench(48, 12, seed);
    Parts parts(bench.graph, bench.limits, 4, inTurn(48, 4));
    const double before = parts.cost();
    Exchange exchange(bench.graph, bench.limits, parts);
    EXPECT_TRUE(exchange.swapBest(5));
    const double best = parts.cost();
    EXPECT_LT(best, before) << seed;
    exchange.swapAll();
    EXPECT_LE(parts.cost(), best) << seed;
    for (uint32_t p = 0; p < 4; ++p)
      EXPECT_EQ(parts.useOf(p).slots, 12) << seed;
    EXPECT_NEAR(parts.cost(), bench.messages(parts.all(), 0, 1), 1e-9);
    // Nothing is left to swap.
    const std::vector<uint32_t> last = parts.all();
    exchange.swapAll();
    EXPECT_EQ(parts.all(), last) << seed;
  }
}

/// The least over all cuts of the line from vertex `first` on.
double leastCut(const Bench &bench, std::vector<uint32_t> &part, uint32_t first,
                uint32_t room, uint32_t fewest, uint32_t most) {
  const uint32_t n = bench.graph.vertices();
  const uint32_t number = first > 0 ? part[first - 1] + 1 : 0;
  if (first == n)
    return number >= fewest ? bench.messages(part, 1, 3) : 1e9;
  double least = 1e9;
  for (uint32_t end = first + 1;
       number < most && end <= std::min(n, first + room); ++end) {
    std::fill(part.begin() + first, part.begin() + end, number);
    least = std::min(least, leastCut(bench, part, end, room, fewest, most));
  }
  return least;
}

TEST(LineCut, IsTheBestOfAllCuts) {
  for (uint64_t seed = 1; seed <= 6; ++seed)
    for (auto [fewest, most] : {std::pair{1u, 10u}, {3u, 3u}, {5u, 6u}}) {
      const Bench bench(11, 5, seed);
      const std::vector<uint32_t> label =
          cutLine(bench.graph, 5, fewest, most, {1, 3});
      ASSERT_EQ(label.size(), 11u);
      std::vector<uint32_t> part(11);
      EXPECT_NEAR(bench.messages(label, 1, 3),
                  leastCut(bench, part, 0, 5, fewest, most), 1e-9)
          << seed << " of " << fewest << " to " << most;
    }
}

TEST(LineCut, NothingWhereThePartsHaveNoRoom) {
  const Bench bench(11, 5, 1);
  EXPECT_TRUE(cutLine(bench.graph, 5, 1, 2, {1, 3}).empty());
}

TEST(LineOrder, ARingComesBackInTurn) {
  // Neuron n of the ring has number 37 n modulo 101, and reaches four of its
  // neighbours on each side.
  constexpr uint32_t kRing = 101, kInverse = 71; // 37 * 71 = 26 * 101 + 1
  MapNetwork network;
  addPopulation(network, "p", kRing);
  connect(network, false, 0, 0,
          [](uint32_t s, uint32_t t) -> std::optional<int> {
            const uint32_t apart = (t + kRing - s) * kInverse % kRing;
            if (apart != 0 && (apart <= 4 || apart >= kRing - 4))
              return 1;
            return std::nullopt;
          });
  const Target target = Target::load("loihi1-study");
  const ClusterOptions options;
  CoreLimits limits(target, options);
  const Hypergraph graph = hypergraphOf(network, target, options,
                                        verticesOf(network, options), limits);
  const std::vector<uint32_t> position = lineOf(graph);
  std::vector<uint32_t> sorted = position;
  std::sort(sorted.begin(), sorted.end());
  for (uint32_t v = 0; v < kRing; ++v)
    ASSERT_EQ(sorted[v], v);
  uint32_t near = 0; // neighbours in the ring that are so in the line
  for (uint32_t n = 0; n < kRing; ++n) {
    const uint32_t a = position[37 * n % kRing],
                   b = position[37 * (n + 1) % kRing];
    near += std::max(a, b) - std::min(a, b) <= 4;
  }
  EXPECT_GE(near, kRing * 9 / 10);
}

} // namespace
