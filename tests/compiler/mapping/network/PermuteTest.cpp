// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/network/Permute.cpp.

#include "compiler/mapping/network/Permute.h"
#include "tests/compiler/mapping/Networks.h"

#include <map>
#include <tuple>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// Populations of several accumulators and sources, with profiles and runs.
MapNetwork vectorNetwork(uint32_t seed) {
  MapNetwork network = randomNetwork(seed);
  std::mt19937 random(seed);
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  network.projections.clear();
  network.populationRate.clear();
  network.samples = 1;
  network.sampledTicks = 8;
  for (MapPopulation &p : network.populations) {
    p.size = 8 + below(60);
    p.accumulators = 1 + below(3);
    p.sources = 1 + below(3);
    p.cuts = {2, 5};
    std::vector<double> rates;
    for (uint32_t n = 0; n < p.size; ++n)
      p.decayProfile.push_back(below(5));
    for (uint32_t n = 0; n < p.size * p.sources; ++n)
      rates.push_back(double(below(100)) / 100);
    network.populationRate.push_back(rates);
    p.schedule.ticks = 2;
    network.populationActivity.emplace_back();
    for (uint32_t n = 0; n < p.size * p.sources * p.schedule.ticks; ++n)
      network.populationActivity.back().push_back(below(256));
    for (uint32_t first : {0u, 3u, 6u}) {
      MapRun run;
      run.first = first;
      run.program = 7 + first % 2;
      run.programWords = run.program;
      p.runs.push_back(run);
    }
  }
  connectAtRandom(network, below);
  for (size_t i = 0; i < network.projections.size(); i += 2) {
    MapProjection &p = network.projections[i];
    p.delay = 9;
    for (size_t k = 0; k < p.weight.size(); ++k)
      p.delays.push_back(uint16_t(below(10)));
  }
  return network;
}

NeuronOrder randomOrder(const MapNetwork &network, uint32_t seed) {
  std::mt19937 random(seed);
  NeuronOrder order(network.populations.size());
  for (size_t p = 0; p + 1 < order.size(); ++p) { // the last keeps its order
    for (uint32_t n = 0; n < network.populations[p].size; ++n)
      order[p].push_back(n);
    for (uint32_t n = network.populations[p].size; n > 1; --n)
      std::swap(order[p][n - 1], order[p][random() % n]);
  }
  return order;
}

using Synapse = std::tuple<size_t, uint32_t, uint32_t>;

/// Weights and delays by (projection, source element, accumulator) in the
/// numbers that `order` puts at each position.
std::map<Synapse, std::pair<int, uint32_t>>
synapsesOf(const MapNetwork &network, const NeuronOrder &order) {
  auto old = [&](uint32_t population, uint32_t element, uint32_t each) {
    return order[population].empty()
               ? element
               : order[population][element / each] * each + element % each;
  };
  std::map<Synapse, std::pair<int, uint32_t>> found;
  for (size_t i = 0; i < network.projections.size(); ++i) {
    const MapProjection &p = network.projections[i];
    const MapPopulation &to = network.populations[p.target];
    for (uint32_t s = 0; s < network.sourceSize(p); ++s)
      for (uint64_t k = p.begin[s]; k < p.begin[s + 1]; ++k)
        found[{i,
               p.fromInput
                   ? s
                   : old(p.source, s, network.populations[p.source].sources),
               old(p.target, p.accumulator[k], to.accumulators)}] = {
            p.weight[k], p.delayOf(k)};
  }
  return found;
}

void expectSame(const MapNetwork &a, const MapNetwork &b) {
  ASSERT_EQ(a.projections.size(), b.projections.size());
  for (size_t i = 0; i < a.projections.size(); ++i) {
    EXPECT_EQ(a.projections[i].begin, b.projections[i].begin);
    EXPECT_EQ(a.projections[i].accumulator, b.projections[i].accumulator);
    EXPECT_EQ(a.projections[i].weight, b.projections[i].weight);
    EXPECT_EQ(a.projections[i].delays, b.projections[i].delays);
  }
}

TEST(Permute, SaysTheSameOfEachNeuron) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    MapNetwork network = vectorNetwork(seed);
    NeuronOrder order = randomOrder(network, seed), identity(order.size());
    MapNetwork made = permute(network, order);
    check(made);
    EXPECT_EQ(synapsesOf(made, order), synapsesOf(network, identity));
    for (uint32_t p = 0; p < order.size(); ++p) {
      const MapPopulation &from = network.populations[p];
      const MapPopulation &to = made.populations[p];
      EXPECT_EQ(to.cuts.empty(), !order[p].empty());
      for (uint32_t at = 0; at < from.size; ++at) {
        uint32_t neuron = order[p].empty() ? at : order[p][at];
        EXPECT_EQ(to.decayProfile[at], from.decayProfile[neuron]);
        EXPECT_EQ(to.needsOf(at).program, from.needsOf(neuron).program);
        for (uint32_t e = 0; e < from.sources; ++e) {
          EXPECT_EQ(made.rate(false, p, at * from.sources + e),
                    network.rate(false, p, neuron * from.sources + e));
          for (uint32_t part = 0; part < from.schedule.ticks; ++part)
            EXPECT_EQ(
                made.activity(false, p, at * from.sources + e)[part],
                network.activity(false, p, neuron * from.sources + e)[part]);
        }
      }
    }
    EXPECT_EQ(made.hostOutput, network.hostOutput);
  }
}

TEST(Permute, TheInverseGivesTheNetworkBack) {
  MapNetwork network = vectorNetwork(3);
  NeuronOrder order = randomOrder(network, 3), back(order.size());
  for (size_t p = 0; p < order.size(); ++p) {
    back[p].resize(order[p].size());
    for (uint32_t at = 0; at < order[p].size(); ++at)
      back[p][order[p][at]] = at;
  }
  MapNetwork again = permute(permute(network, order), back);
  expectSame(again, network);
  EXPECT_EQ(again.populationRate, network.populationRate);
  // Neighbours that are alike make one run.
  EXPECT_EQ(again.populations[0].runs.size(), 3u);
}

TEST(Permute, DependsNeitherOnThreadsNorOnWhoOwnsTheNetwork) {
  MapNetwork network;
  addPopulation(network, "p", 20000);
  MapProjection p;
  p.begin = {0};
  for (uint32_t s = 0; s < 20000; ++s) {
    for (uint32_t t = s % 7; t < 20000; t += 997 + s % 13) {
      p.accumulator.push_back(t);
      p.weight.push_back(int16_t(int(s % 255) - 127));
    }
    p.begin.push_back(p.accumulator.size());
  }
  network.projections.push_back(p);
  NeuronOrder order(1);
  for (uint32_t n = 0; n < 20000; ++n)
    order[0].push_back(n * 7 % 20000);
  MapNetwork one = permute(network, order);
  check(one);
  expectSame(permute(network, order, 3), one);
  expectSame(permute(MapNetwork(network), order, 2), one);
  expectSame(permute(MapNetwork(network), {}), network);
}

TEST(Permute, RefusesWhatIsNoOrder) {
  MapNetwork network;
  addPopulation(network, "p", 3);
  auto error = [&](const NeuronOrder &order) {
    return errorOf([&] { permute(network, order); });
  };
  EXPECT_HAS(error({{0, 1}}), "expected 3 neurons, found 2");
  EXPECT_HAS(error({{0, 1, 1}}), "each of 3 neurons once, found 1 twice");
  EXPECT_HAS(error({{0, 1, 3}}), "each of 3 neurons once, found 3 among them");
  EXPECT_HAS(error({{}, {0}}), "found one for population 1");
}

} // namespace
