// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/cluster/Cluster.cpp,
// compiler/mapping/cluster/Multilevel.cpp,
// compiler/mapping/cluster/Refine.cpp, compiler/mapping/cluster/Grow.cpp,
// compiler/mapping/cluster/Coarsen.cpp, compiler/mapping/cluster/Words.cpp,
// compiler/mapping/cluster/Refusals.cpp.

#include "compiler/mapping/cluster/Cluster.h"
#include "tests/compiler/mapping/Networks.h"

#include <numeric>
#include <set>

using namespace neurite;
using namespace neurite::test;

namespace {

/// The verdict of verify() on the clusters: "" = they fit.
std::string verdict(const MapNetwork &network, const Target &target,
                    const Clusters &clusters,
                    const std::vector<std::vector<uint32_t>> &ranges = {}) {
  Target large = target; // as many cores as there are clusters
  large.mesh.tilesX = clusters.cores;
  large.mesh.tilesY = large.mesh.coresPerTile = 1;
  auto fit = verify(permute(network, orderOf(network, clusters, ranges)), large,
                    slicesOf(network, clusters, ranges));
  return fit ? "" : fit.misfit().message;
}

/// Messages counted source by source, as the definition has it.
double messagesOf(const MapNetwork &network, const Clusters &clusters) {
  double sum = 0;
  for (const MapProjection &p : network.projections)
    for (uint32_t s = 0; s < network.sourceSize(p); ++s) {
      std::set<uint32_t> cores;
      for (uint64_t i = p.begin[s]; i < p.begin[s + 1]; ++i)
        if (p.weight[i] != 0)
          cores.insert(
              clusters
                  .core[p.target][p.accumulator[i] /
                                  network.populations[p.target].accumulators]);
      if (!p.fromInput)
        cores.erase(
            clusters.core[p.source][s / network.populations[p.source].sources]);
      sum += network.rate(p.fromInput, p.source, s) * double(cores.size());
    }
  return sum;
}

/// One population of neurons in groups, each connected to most of its own
/// group, in an order that mixes the groups.
MapNetwork planted(uint32_t groups, uint32_t size) {
  MapNetwork network;
  addPopulation(network, "p", groups * size);
  connect(network, false, 0, 0,
          [&](uint32_t s, uint32_t t) -> std::optional<int> {
            if (s % groups == t % groups && (s * 7 + t * 3) % 5 != 0)
              return 1;
            return std::nullopt;
          });
  return network;
}

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

TEST(Cluster, PlantedGroupsAreFound) {
  for (uint32_t groups : {2u, 5u}) {
    MapNetwork network = planted(groups, 60);
    Target target = Target::load("loihi1");
    target.limits.compartmentsPerCore = 64;
    ClusterOptions options;
    options.cores = groups;
    Fit<Clusters> fit = clusterNeurons(network, target, options);
    ASSERT_TRUE(fit);
    EXPECT_EQ(fit->km1, 0);
    EXPECT_EQ(verdict(network, target, *fit), "");
    options.cores = 0;
    EXPECT_EQ(clusterNeurons(network, target, options)->cores, groups);
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

/// Up to 8 neurons on 2 or 3 cores, all ways to put them.
TEST(Cluster, SmallOnesAreOptimal) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](uint32_t n) { return uint32_t(random() % n); };
    const uint32_t size = 5 + below(4), cores = 2 + below(2);
    MapNetwork network;
    addPopulation(network, "p", size);
    connect(network, false, 0, 0,
            [&](uint32_t, uint32_t) -> std::optional<int> {
              if (below(3) == 0)
                return 1;
              return std::nullopt;
            });
    Target target = Target::load("loihi1");
    target.limits.compartmentsPerCore = (size + cores - 1) / cores + 1;
    double best = 1e9;
    Clusters all;
    all.cores = cores;
    all.core = {std::vector<uint32_t>(size, 0)};
    for (uint64_t code = 0; code < std::pow(cores, size); ++code) {
      std::vector<uint32_t> held(cores, 0);
      uint64_t rest = code;
      for (uint32_t n = 0; n < size; ++n, rest /= cores)
        ++held[all.core[0][n] = uint32_t(rest % cores)];
      if (*std::max_element(held.begin(), held.end()) <=
          target.limits.compartmentsPerCore)
        best = std::min(best, messagesOf(network, all));
    }
    ClusterOptions options;
    options.cores = cores;
    Clusters found = solved(clusterNeurons(network, target, options));
    EXPECT_EQ(found.km1, best) << seed;
  }
}

TEST(Cluster, AGoodOrderIsKept) {
  // Each neuron to its neighbours: no order is better than the one given.
  MapNetwork network;
  addPopulation(network, "p", 6000);
  MapProjection p;
  p.begin = {0};
  for (uint32_t s = 0; s < 6000; ++s) {
    for (uint32_t t = s < 20 ? 0 : s - 20; t < std::min(s + 21, 6000u); ++t) {
      p.accumulator.push_back(t);
      p.weight.push_back(1);
    }
    p.begin.push_back(p.accumulator.size());
  }
  network.projections.push_back(p);
  ClusterOptions options;
  options.cores = 6;
  Clusters found =
      solved(clusterNeurons(network, Target::load("loihi1"), options));
  EXPECT_LE(found.km1, 5 * 40); // 20 on each side of five borders
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
  Fit<Clusters> fit = clusterNeurons(network, target, options);
  ASSERT_FALSE(fit);
  EXPECT_HAS(fit.misfit().message,
             "does not fit 3 cores of 'loihi1': 64 compartments per core is "
             "what runs out, and no fewer than 4 cores have enough "
             "compartments for all of it");
  // Enough compartments, but each group has more in-axons than a core.
  target.limits.compartmentsPerCore = 240;
  target.limits.inAxons = 100;
  options.cores = 1;
  Fit<Clusters> tight = clusterNeurons(network, target, options);
  ASSERT_FALSE(tight);
  EXPECT_EQ(tight.misfit().resource, "in-axons");
  target.limits.inAxons = 10;
  Fit<Clusters> none = clusterNeurons(network, target, options);
  ASSERT_FALSE(none);
  EXPECT_HAS(none.misfit().message, "neuron 0 alone needs");
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
