// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/functional/machine/Bands.cpp: one visit of several groups
// counts and records what their own visits do, which are those of the cycle
// engine.

#include "simulator/functional/machine/Bands.h"
#include "tests/simulator/ProgramBuilder.h"
#include "tests/simulator/TraceFiles.h"
#include "tests/simulator/timing/Agreement.h"

#include <gtest/gtest.h>

#include <random>

namespace dendrolith::sim {
namespace {

using namespace test;

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

TEST(Bands, CountAndRecordWhatTheirGroupsDo) {
  uint64_t spikes = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const image::Program program = layers(seed, seed % 3 == 0);
    EXPECT_FALSE(findBands(Machine(program), {0, 18}).empty());
    std::mt19937 random(seed);
    std::vector<std::vector<double>> ticks(30, std::vector<double>(6));
    for (std::vector<double> &tick : ticks)
      for (double &value : tick)
        value = random() % 3 == 0;
    const std::map<std::string, Samples> inputs = {
        {"in", samples({ticks, ticks})}};
    const Target target = withTiming(mesh(18, 1), randomTiming(seed));
    RunOptions options = tracingAll(program);
    options.spikes = true;
    const RunResult apart = runCycle(program, target, inputs, options);
    const RunResult together = runFunctional(program, target, inputs, options);
    expectSame(apart, together);
    EXPECT_EQ(together.spikes, apart.spikes);
    EXPECT_EQ(together.spikeValues.front().counts,
              apart.spikeValues.front().counts);
    options.stores.traces = tracesInFiles();
    const RunResult stored = runFunctional(program, target, inputs, options);
    for (size_t t = 0; t < apart.traces.size(); ++t)
      EXPECT_EQ(readOf(stored.traces[t]), apart.traces[t].values);
    spikes += together.spikes.front().size();
  }
  EXPECT_GT(spikes, 1000u);
}

} // namespace
} // namespace dendrolith::sim
