// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/cluster/Trials.cpp,
// compiler/mapping/cluster/Multilevel.cpp,
// compiler/mapping/cluster/Refine.cpp, compiler/mapping/cluster/Grow.cpp,
// runtime/host/Workers.cpp.

#include "compiler/mapping/cluster/Random.h"
#include "tests/compiler/mapping/cluster/Groups.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

TEST(Trials, PlantedGroupsAreFound) {
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

/// Up to 8 neurons on 2 or 3 cores, all ways to put them.
TEST(Trials, SmallOnesAreOptimal) {
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

TEST(Trials, AGoodOrderIsKept) {
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

/// Large enough for several levels, and for batches that threads share.
TEST(Trials, AnyNumberOfThreadsGivesTheSame) {
  constexpr uint32_t size = 9000;
  MapNetwork network;
  addPopulation(network, "p", size);
  MapProjection p;
  p.begin = {0};
  for (uint32_t s = 0; s < size; ++s) {
    for (uint32_t t = s < 5 ? 0 : s - 5; t < std::min(s + 6, size); ++t) {
      p.accumulator.push_back(t);
      p.weight.push_back(1);
    }
    p.begin.push_back(p.accumulator.size());
  }
  network.projections.push_back(p);
  network = permute(network, {cluster::shuffled(size, 3)});
  ClusterOptions options;
  options.cores = 10;
  const Target target = Target::load("loihi1");
  const Clusters one = solved(clusterNeurons(network, target, options));
  EXPECT_LT(one.km1, 0.05 * size); // few go to another core
  for (unsigned threads : {2u, 3u}) {
    options.threads = threads;
    EXPECT_EQ(solved(clusterNeurons(network, target, options)).core, one.core)
        << threads << " threads";
  }
}

} // namespace
