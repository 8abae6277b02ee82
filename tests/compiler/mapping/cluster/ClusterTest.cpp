// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/cluster/Cluster.cpp,
// compiler/mapping/cluster/Trials.cpp.

#include "tests/compiler/mapping/cluster/Groups.h"

#include <utility>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

TEST(Cluster, LimitsHoldOnRandomNetworks) {
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    MapNetwork network = randomNetwork(seed);
    Target target = seed % 3 ? Target::load("loihi1") : chip(64, 40000);
    target.limits.compartmentsPerCore = 200;
    if (seed % 3 == 1)
      target.limits.inAxons = 700;
    ClusterOptions options;
    options.cores = seed % 2 ? 16 : 0;
    Fit<Clusters> fit = clusterNeurons(network, target, options);
    ASSERT_TRUE(fit) << seed << ": " << fit.misfit().message;
    EXPECT_EQ(verdict(network, target, *fit), "") << seed;
    EXPECT_NEAR(fit->km1, messagesOf(network, *fit), 1e-6);
  }
}

TEST(Cluster, TheAnswerDependsOnTheSeedAlone) {
  MapNetwork network = randomNetwork(5);
  Target target = Target::load("loihi1");
  ClusterOptions options;
  options.cores = 6;
  Clusters one = solved(clusterNeurons(network, target, options));
  options.threads = 3;
  EXPECT_EQ(solved(clusterNeurons(network, target, options)).core, one.core);
  options.seed = 2;
  EXPECT_NE(solved(clusterNeurons(network, target, options)).core, one.core);
}

TEST(Cluster, EndsWhenItIsAskedTo) {
  const MapNetwork network = randomNetwork(5);
  const Target target = Target::load("loihi1");
  ClusterOptions options;
  options.cores = 6;
  uint32_t all = 0; // times that it asks
  options.isOver = [&] {
    ++all;
    return false;
  };
  const Clusters whole = solved(clusterNeurons(network, target, options));
  for (uint32_t last : {0u, 5u, all / 2}) {
    uint32_t asked = 0;
    options.isOver = [&] { return asked++ >= last; };
    if (auto found = clusterNeurons(network, target, options)) {
      EXPECT_EQ(verdict(network, target, *found), "");
      EXPECT_NE(found->core, whole.core);
    }
    EXPECT_LT(asked, last + 100); // each level and start asks once more
  }
}

TEST(Cluster, CoresThatTheChipLacksAreTriedBriefly) {
  // Two groups have more in-axons than a core, so that 10 cores are too few.
  const MapNetwork network = planted(16, 60);
  auto ofCores = [](uint32_t cores) {
    Target target = chip(cores, 40000);
    target.limits.inAxons = 119;
    return target;
  };
  ClusterOptions options;
  uint32_t asked = 0;
  options.isOver = [&] {
    ++asked;
    return false;
  };
  Fit<Clusters> fit = clusterNeurons(network, ofCores(10), options);
  ASSERT_FALSE(fit);
  EXPECT_HAS(fit.misfit().message, "119 in-axons per core is what runs out");
  EXPECT_HAS(fit.misfit().message, "; it fits 14 cores by regrouping");
  const uint32_t search = std::exchange(asked, 0);
  for (options.cores = 11; options.cores <= 14; ++options.cores)
    (void)clusterNeurons(network, ofCores(16), options);
  EXPECT_LT(search, asked);
}

TEST(Cluster, BeginsWhereItIsTold) {
  MapNetwork network = planted(2, 60);
  ClusterOptions options;
  options.start = {std::vector<uint32_t>(120)};
  for (uint32_t n = 0; n < 120; ++n)
    options.start[0][n] = n % 2;
  Clusters found =
      solved(clusterNeurons(network, Target::load("loihi1"), options));
  EXPECT_EQ(found.cores, 2u);
  EXPECT_EQ(found.core, options.start);
  options.start[0].pop_back();
  EXPECT_HAS(errorOf([&] {
               (void)clusterNeurons(network, Target::load("loihi1"), options);
             }),
             "expected a core for each of 120 neurons, found 119");
}

TEST(Cluster, WorkIsCapped) {
  MapNetwork network = randomNetwork(7);
  ClusterOptions options;
  options.cores = 4;
  options.workCap = 1.05;
  double all = 0;
  for (const MapPopulation &p : network.populations)
    all += p.size;
  Clusters found =
      solved(clusterNeurons(network, Target::load("loihi1"), options));
  std::vector<double> work(4);
  for (const std::vector<uint32_t> &cores : found.core)
    for (uint32_t core : cores)
      work[core] += 1;
  EXPECT_LE(*std::max_element(work.begin(), work.end()), 1.05 * all / 4);
}

TEST(Cluster, RangesStayOnOneCoreWithTheirSharedLists) {
  MapNetwork network;
  addInput(network, "in", 400);
  addPopulation(network, "conv", 400);
  MapProjection &p = connect(network, true, 0, 0,
                             [](uint32_t s, uint32_t t) -> std::optional<int> {
                               if (t >= s && t < s + 3)
                                 return int(t - s) + 1;
                               return std::nullopt;
                             });
  p.shared = true;
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 100;
  target.limits.synapseMemoryWords = 6; // too few without sharing
  ClusterOptions options;
  options.ranges = {{0, 100, 200, 300, 400}};
  Clusters found = solved(clusterNeurons(network, target, options));
  EXPECT_EQ(found.cores, 4u);
  EXPECT_EQ(verdict(network, target, found, options.ranges), "");
}

TEST(Cluster, SaysWhatEndsIt) {
  MapNetwork network = planted(4, 60);
  Target target = Target::load("loihi1");
  target.limits.compartmentsPerCore = 64;
  ClusterOptions options;
  options.cores = 3;
  options.findsFitting = true;
  Fit<Clusters> fit = clusterNeurons(network, target, options);
  ASSERT_FALSE(fit);
  EXPECT_HAS(fit.misfit().message,
             "does not fit 3 cores of 'loihi1': 64 neurons per core is "
             "what runs out, and no fewer than 4 cores have enough "
             "neurons for all of it");
  // Enough neurons, but each group has more in-axons than a core.
  target.limits.compartmentsPerCore = 240;
  target.limits.inAxons = 100;
  options.cores = 1;
  Fit<Clusters> tight = clusterNeurons(network, target, options);
  ASSERT_FALSE(tight);
  EXPECT_EQ(tight.misfit().resource, "in-axons");
  target.limits.inAxons = 10;
  Fit<Clusters> none = clusterNeurons(network, target, options);
  ASSERT_FALSE(none);
  EXPECT_HAS(none.misfit().message, " alone needs ");
}

TEST(Cluster, DistancesMoveNeurons) {
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    MapNetwork network = randomNetwork(seed);
    Target target = Target::load("loihi1");
    target.limits.compartmentsPerCore = 300;
    ClusterOptions options;
    options.cores = 8;
    Clusters before = solved(clusterNeurons(network, target, options));
    std::vector<double> distance, host;
    for (int a = 0; a < 8; ++a) {
      host.push_back(a);
      for (int b = 0; b < 8; ++b)
        distance.push_back(std::abs(a - b));
    }
    auto price = [&](const Clusters &clusters) {
      double sum = 0;
      for (const MapProjection &p : network.projections)
        for (uint32_t s = 0; s < network.sourceSize(p); ++s) {
          std::set<uint32_t> cores;
          for (uint64_t i = p.begin[s]; i < p.begin[s + 1]; ++i)
            if (p.weight[i] != 0)
              cores.insert(clusters.core[p.target][p.accumulator[i]]);
          for (uint32_t core : cores)
            sum +=
                network.rate(p.fromInput, p.source, s) *
                (p.fromInput ? host[core]
                             : distance[clusters.core[p.source][s] * 8 + core]);
        }
      return sum;
    };
    Clusters after =
        refineClusters(network, target, before, distance, host, options);
    EXPECT_LT(price(after), price(before));
    EXPECT_EQ(verdict(network, target, after), "");
    EXPECT_NEAR(after.km1, messagesOf(network, after), 1e-6);
  }
  EXPECT_HAS(errorOf([] {
               Clusters two;
               two.cores = 2;
               (void)refineClusters({}, Target::load("loihi1"), two, {1}, {1},
                                    {});
             }),
             "distances of 2 cores: expected 4 and 2 to the host");
}

} // namespace
