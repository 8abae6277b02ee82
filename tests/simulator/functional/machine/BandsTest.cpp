// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which groups one visit updates, and whether it counts what their own visits
// count: a trace of their states keeps groups apart.

#include "simulator/functional/machine/Bands.h"
#include "simulator/Run.h"
#include "tests/simulator/ProgramBuilder.h"

#include <gtest/gtest.h>

#include <random>

namespace neurite::test {
namespace {

std::vector<std::pair<uint32_t, uint32_t>>
bandsOf(const image::Program &program, sim::CoreShare cores,
        uint32_t traced = UINT32_MAX) {
  const sim::Machine machine(program);
  std::vector<std::pair<uint32_t, uint32_t>> found;
  for (const sim::Band &band : sim::findBands(
           machine, cores, [&](uint32_t group) { return group == traced; }))
    found.push_back({band.firstGroup, band.groups});
  return found;
}

using Found = std::vector<std::pair<uint32_t, uint32_t>>;

TEST(Bands, NeighboursWithTheSameNeurons) {
  ProgramBuilder b(1, 2);
  b.population("a", 12, 0).population("b", 6, 1).binaryInput("in", 1, 0);
  for (uint32_t core = 0; core < 4; ++core) // the last one's neurons differ
    b.group(core, "a", 3 * (3 - core), 3, cuba(core < 3 ? 5 : 6));
  for (uint32_t core = 4; core < 6; ++core)
    b.group(core, "b", 3 * (core - 4), 3, cuba(6));
  const image::Program program = b.build();
  EXPECT_EQ(bandsOf(program, {0, 6}), (Found{{0, 3}, {4, 2}}));
  EXPECT_EQ(bandsOf(program, {1, 5}), (Found{{1, 2}}));
  EXPECT_EQ(bandsOf(program, {0, 6}, 1), (Found{{4, 2}}));
  EXPECT_EQ(bandsOf(program, {0, 6}, 0), (Found{{1, 2}, {4, 2}}));
  const sim::Machine machine(program);
  const sim::Band band =
      sim::findBands(machine, {0, 6}, [](uint32_t) { return false; }).front();
  EXPECT_EQ(band.begins, (std::vector<uint32_t>{0, 3, 6, 9}));
  EXPECT_EQ(band.numbers, (std::vector<uint32_t>{9, 10, 11, 6, 7, 8, 3, 4, 5}));
}

TEST(Bands, NotWhatIsShownOrLiesApart) {
  ProgramBuilder gap(1, 1);
  gap.population("a", 4, 0).binaryInput("in", 1, 0);
  gap.group(0, "a", 0, 2, cuba(5)).group(1, "a", 2, 2, cuba(5), 1);
  EXPECT_EQ(bandsOf(gap.build(), {0, 2}), Found());
  ProgramBuilder shown(1, 1);
  shown.population("a", 4, 0).binaryInput("in", 1, 0);
  shown.group(0, "a", 0, 2, cuba(5)).group(1, "a", 2, 2, cuba(5));
  shown.output("out", "a", "s");
  EXPECT_EQ(bandsOf(shown.build(), {0, 2}), Found());
}

/// Two layers over many cores with random synapses, recurrent ones included. A
/// list of 40 neurons keeps sums in 64 bits.
image::Program layers(uint32_t seed, bool wide) {
  std::mt19937 random(seed);
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  constexpr uint32_t cores = 9, inputs = 6;
  ProgramBuilder b(1 + below(2), 3);
  b.binaryInput("in", inputs, 0);
  for (uint32_t layer = 0; layer < 2; ++layer) {
    const std::string name = layer ? "b" : "a";
    std::vector<uint32_t> sizes;
    uint32_t all = 0;
    for (uint32_t c = 0; c < cores; ++c) {
      sizes.push_back(wide && c == 3 ? 40 : 1 + below(20));
      all += sizes.back();
    }
    b.population(name, all, layer);
    const image::Cuba neuron =
        cuba(1000 + int(below(3000)), 1024 + int(below(3072)),
             int(below(2)) * 300, below(3) ? 0 : 40);
    for (uint32_t c = 0, first = 0; c < cores; first += sizes[c++])
      b.group(layer * cores + c, name, first, sizes[c], neuron);
    auto matrix = [&](uint32_t sources) {
      Matrix weights(all, std::vector<int>(sources));
      for (std::vector<int> &row : weights)
        for (int &weight : row)
          weight = int(below(511)) - 235;
      return weights;
    };
    b.project(
        layer ? "a" : "in", name,
        matrix(layer ? uint32_t(b.program.populations(0).size()) : inputs),
        uint16_t(below(2)), 2);
    if (layer)
      b.project(name, name, matrix(all), 1, 0, !wide);
  }
  return b.build();
}

TEST(Bands, CountWhatTheirGroupsCount) {
  uint64_t spikes = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const image::Program program = layers(seed, seed % 3 == 0);
    EXPECT_FALSE(bandsOf(program, {0, 18}).empty());
    std::mt19937 random(seed);
    std::vector<std::vector<double>> ticks(30, std::vector<double>(6));
    for (std::vector<double> &tick : ticks)
      for (double &value : tick)
        value = random() % 3 == 0;
    const std::map<std::string, Samples> inputs = {
        {"in", samples({ticks, ticks})}};
    sim::RunOptions options;
    options.spikes = true;
    const auto together =
        sim::runFunctional(program, mesh(18, 1), inputs, options);
    options.traces = {{"a", "u"}, {"b", "v"}};
    const auto apart =
        sim::runFunctional(program, mesh(18, 1), inputs, options);
    EXPECT_EQ(together.spikes, apart.spikes);
    EXPECT_EQ(together.counts, apart.counts);
    EXPECT_EQ(together.attribution, apart.attribution);
    EXPECT_EQ(together.sampleCounts, apart.sampleCounts);
    EXPECT_EQ(together.neuroBench.membraneUpdates,
              apart.neuroBench.membraneUpdates);
    EXPECT_EQ(together.saturations.clipped, apart.saturations.clipped);
    EXPECT_EQ(together.saturations.wrapped, apart.saturations.wrapped);
    EXPECT_EQ(together.spikeValues.front().counts,
              apart.spikeValues.front().counts);
    spikes += together.spikes.front().size();
  }
  EXPECT_GT(spikes, 1000u);
}

} // namespace
} // namespace neurite::test
