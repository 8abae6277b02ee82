// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/cluster/Parts.cpp,
// compiler/mapping/cluster/PartOptions.cpp, compiler/mapping/cluster/Build.cpp,
// compiler/mapping/cluster/Limits.cpp, compiler/mapping/cluster/Hypergraph.cpp.

#include "compiler/mapping/cluster/Parts.h"
#include "compiler/mapping/cluster/Build.h"
#include "compiler/mapping/cluster/Order.h"
#include "compiler/mapping/cluster/Random.h"
#include "compiler/mapping/result/Measure.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::cluster;
using namespace dendrolith::test;

namespace {

/// A network as a hypergraph, and random parts of it.
struct PartsBench {
  explicit PartsBench(uint32_t seed, bool merged = false,
                      const std::string &name = "loihi1")
      : target(Target::load(name)), network(randomNetwork(seed)),
        limits(target, options), vertices(verticesOf(network, options)),
        graph(hypergraphOf(network, target, options, vertices, limits)),
        random(seed) {
    limits.setCores(network, target, graph, kParts);
    if (merged) {
      std::vector<uint32_t> label;
      for (uint32_t v = 0; v < graph.vertices(); ++v)
        label.push_back(v / 3);
      graph = contract(graph, label, label.back() + 1);
    }
    for (uint32_t v = 0; v < graph.vertices(); ++v)
      part.push_back(below(kParts));
    for (uint32_t i = 0; i < kParts * kParts; ++i)
      between.push_back(below(9));
    for (uint32_t i = 0; i < kParts; ++i)
      host.push_back(below(9));
  }
  uint32_t below(uint32_t n) { return uint32_t(random() % n); }
  MessagePrices prices() const { return {between.data(), host.data()}; }

  static constexpr uint32_t kParts = 7;
  Target target;
  ClusterOptions options;
  MapNetwork network;
  CoreLimits limits;
  Vertices vertices;
  Hypergraph graph;
  std::mt19937 random;
  std::vector<uint32_t> part;
  std::vector<double> between, host;
};

void expectSameParts(const Parts &a, const Parts &b) {
  for (uint32_t p = 0; p < a.parts(); ++p) {
    EXPECT_EQ(a.useOf(p).slots, b.useOf(p).slots);
    EXPECT_NEAR(a.useOf(p).words, b.useOf(p).words, 1e-6);
    EXPECT_EQ(a.useOf(p).in, b.useOf(p).in);
    EXPECT_EQ(a.useOf(p).out, b.useOf(p).out);
    EXPECT_NEAR(a.useOf(p).bytes, b.useOf(p).bytes, 1e-6);
  }
  EXPECT_NEAR(a.cost(), b.cost(), 1e-6);
}

TEST(Parts, CountsAfterMovesAreThoseOfARecount) {
  for (uint32_t seed = 1; seed <= 8; ++seed)
    for (bool merged : {false, true}) {
      PartsBench bench(seed, merged, seed % 2 ? "loihi1" : "loihi2");
      Parts parts(bench.graph, bench.limits, PartsBench::kParts, bench.part);
      for (int move = 0; move < 500; ++move)
        parts.move(bench.below(bench.graph.vertices()),
                   bench.below(PartsBench::kParts));
      expectSameParts(parts, Parts(bench.graph, bench.limits,
                                   PartsBench::kParts, parts.all()));
    }
}

TEST(Parts, AnOptionSaysWhatTheMoveThenChanges) {
  for (uint32_t seed = 1; seed <= 8; ++seed)
    for (bool merged : {false, true})
      for (bool priced : {false, true}) {
        PartsBench bench(seed, merged);
        Parts parts(bench.graph, bench.limits, PartsBench::kParts, bench.part,
                    priced ? bench.prices() : MessagePrices{});
        for (int move = 0; move < 60; ++move) {
          uint32_t v = bench.below(bench.graph.vertices());
          auto options = parts.optionsOf(v, bench.below(PartsBench::kParts));
          if (options.empty())
            continue;
          Parts::Option option = options[bench.below(options.size())];
          double before = parts.cost();
          parts.move(v, option.part);
          EXPECT_NEAR(parts.cost() - before, option.cost, 1e-6)
              << "seed " << seed << " merged " << merged << " priced "
              << priced;
        }
      }
}

// The plain twin looks at one net after the other, as is done where there are
// many parts. Here most of them are empty.
TEST(Parts, NetsThatReachTheSamePartsAreHeardTogether) {
  for (uint32_t seed = 1; seed <= 12; ++seed)
    for (bool merged : {false, true}) {
      SCOPED_TRACE(testing::Message() << seed << " " << merged);
      PartsBench bench(seed, merged, seed % 2 ? "loihi1" : "loihi2");
      for (double &rate : bench.graph.rate)
        rate = double(bench.below(1000)) / 7;
      Parts together(bench.graph, bench.limits, PartsBench::kParts, bench.part),
          apart(bench.graph, bench.limits, 200, bench.part);
      for (int move = 0; move < 200; ++move) {
        const uint32_t v = bench.below(bench.graph.vertices());
        const auto some = together.optionsOf(v), plain = apart.optionsOf(v);
        ASSERT_EQ(some.size(), plain.size());
        for (size_t i = 0; i < some.size(); ++i) {
          ASSERT_EQ(some[i].part, plain[i].part);
          ASSERT_EQ(some[i].cost, plain[i].cost);
          ASSERT_EQ(some[i].excess, plain[i].excess);
          ASSERT_EQ(some[i].there, plain[i].there);
        }
        const uint32_t to = bench.below(PartsBench::kParts);
        together.move(v, to);
        apart.move(v, to);
      }
    }
}

/// Words are bounded from above and all else is exact, so that what has no
/// excess fits.
TEST(Parts, UsesAreThoseThatMeasureCounts) {
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    PartsBench bench(seed, false, seed % 2 ? "loihi1" : "loihi2");
    Clusters clusters;
    clusters.cores = PartsBench::kParts;
    for (const std::vector<uint32_t> &of : bench.vertices.of) {
      clusters.core.emplace_back();
      for (uint32_t v : of)
        clusters.core.back().push_back(bench.part[v]);
    }
    Parts parts(bench.graph, bench.limits, PartsBench::kParts, bench.part);
    NeuronOrder order = orderOf(bench.network, bench.target, clusters);
    std::vector<FitRow> rows =
        measure(permute(bench.network, order), bench.target,
                slicesOf(bench.network, clusters));
    Needs most;
    for (uint32_t p = 0; p < PartsBench::kParts; ++p) {
      const Needs &use = parts.useOf(p);
      most.slots = std::max(most.slots, use.slots);
      most.words = std::max(most.words, use.words);
      most.in = std::max(most.in, use.in);
      most.out = std::max(most.out, use.out);
    }
    EXPECT_EQ(double(rows[NeuronSlots].used), most.slots);
    EXPECT_EQ(double(rows[InAxons].used), most.in);
    EXPECT_EQ(double(rows[OutAxons].used), most.out);
    EXPECT_LE(double(rows[SynapseWords].used), most.words);
    EXPECT_GE(double(rows[SynapseWords].used), 0.7 * most.words);
  }
}

} // namespace
