// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/bench/CycleNetworks.h"

#include "tests/simulator/ProgramBuilder.h"

#include <algorithm>
#include <random>

namespace dendrolith::test {
namespace {

constexpr uint32_t kCores = 128;
constexpr int kFire = 250; // through a shift of 6: above the threshold

/// A population and the cores it lies on, in ranges of neighbours.
struct Layer {
  std::string name;
  uint32_t size, firstCore, cores;
  uint32_t firstOf(uint32_t core) const {
    return static_cast<uint32_t>(uint64_t(size) * core / cores);
  }
  uint32_t coreOf(uint32_t neuron) const {
    uint32_t core = static_cast<uint32_t>(uint64_t(neuron) * cores / size);
    while (firstOf(core + 1) <= neuron)
      ++core;
    return core;
  }
};

void place(ProgramBuilder &builder, const Layer &layer) {
  builder.population(layer.name, layer.size, 1);
  for (uint32_t core = 0; core < layer.cores; ++core)
    builder.group(layer.firstCore + core, layer.name, layer.firstOf(core),
                  layer.firstOf(core + 1) - layer.firstOf(core), cuba(10000));
}

/// Input `in` fires the neurons one to one.
void drive(ProgramBuilder &builder, const Layer &layer,
           const std::string &input) {
  builder.binaryInput(input, layer.size, 0);
  for (uint32_t n = 0; n < layer.size; ++n) {
    uint32_t core = layer.coreOf(n);
    builder.connect(input, n, layer.firstCore + core,
                    builder.axon(layer.firstCore + core,
                                 n - layer.firstOf(core), {kFire}, {}, 0, 6,
                                 1));
  }
}

Samples oneInTwenty(uint32_t size, uint64_t ticks, std::mt19937 &random) {
  Samples x;
  x.samples = 1;
  x.steps = ticks;
  x.shape = {size};
  std::vector<uint8_t> values(ticks * size);
  for (uint8_t &value : values)
    value = random() % 20 == 0;
  x.values = std::move(values);
  return x;
}

int weight(std::mt19937 &random) { return int(random() % 21) - 10; }

} // namespace

BenchNetwork randomNetwork(uint32_t neurons, uint32_t fanout, uint64_t ticks) {
  std::mt19937 random(1);
  ProgramBuilder builder(1, 2);
  Layer layer{"a", neurons, 0, kCores};
  place(builder, layer);
  drive(builder, layer, "in");
  std::vector<uint32_t> targets;
  for (uint32_t n = 0; n < neurons; ++n) {
    targets.clear();
    for (uint32_t i = 0; i < fanout; ++i)
      targets.push_back(random() % neurons);
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    for (size_t i = 0; i < targets.size();) {
      uint32_t core = layer.coreOf(targets[i]);
      std::vector<int> weights;
      std::vector<uint32_t> offsets;
      for (; i < targets.size() && targets[i] < layer.firstOf(core + 1); ++i) {
        weights.push_back(weight(random));
        offsets.push_back(targets[i] - layer.firstOf(core));
      }
      uint32_t words = static_cast<uint32_t>(1 + weights.size() / 4);
      builder.connect("a", n, core,
                      builder.axon(core, 0, weights, offsets, 0, 6, words));
    }
  }
  return {builder.build(), {{"in", oneInTwenty(neurons, ticks, random)}}};
}

BenchNetwork layeredNetwork(uint32_t layers, uint32_t width, uint32_t lists,
                            uint32_t perList, uint64_t ticks) {
  std::mt19937 random(2);
  ProgramBuilder builder(1, 2);
  std::vector<Layer> all;
  BenchNetwork network;
  for (uint32_t l = 0; l < layers; ++l) {
    uint32_t first = kCores * l / layers, end = kCores * (l + 1) / layers;
    all.push_back({"l" + std::to_string(l), width, first, end - first});
    place(builder, all.back());
  }
  for (uint32_t l = 0; l < layers; ++l) {
    std::string input = "in" + std::to_string(l);
    drive(builder, all[l], input);
    network.inputs[input] = oneInTwenty(width, ticks, random);
    if (l + 1 == layers)
      break;
    const Layer &to = all[l + 1];
    for (uint32_t n = 0; n < width; ++n)
      for (uint32_t k = 0; k < lists; ++k) {
        uint32_t core = (to.coreOf(n) + k) % to.cores;
        uint32_t size = to.firstOf(core + 1) - to.firstOf(core);
        std::vector<int> weights(std::min(perList, size));
        for (int &w : weights)
          w = weight(random);
        uint32_t base = random() % (size - uint32_t(weights.size()) + 1);
        uint32_t words = static_cast<uint32_t>(1 + weights.size() / 8);
        builder.connect(
            all[l].name, n, to.firstCore + core,
            builder.axon(to.firstCore + core, base, weights, {}, 0, 6, words));
      }
  }
  network.program = builder.build();
  return network;
}

} // namespace dendrolith::test
