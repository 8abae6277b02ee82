// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Networks made by hand for the mapping tests.

#ifndef DENDROLITH_TESTS_COMPILER_MAPPING_NETWORKS_H
#define DENDROLITH_TESTS_COMPILER_MAPPING_NETWORKS_H

#include "compiler/mapping/MapNetwork.h"
#include "compiler/mapping/network/Permute.h"
#include "compiler/mapping/result/Verify.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

namespace dendrolith::test {

/// loihi2 with so many cores in a row and so much memory each.
inline Target chip(uint64_t cores, uint64_t bytes) {
  Target target = Target::load("loihi2");
  target.mesh.tilesX = cores;
  target.mesh.tilesY = target.mesh.coresPerTile = 1;
  target.limits.coreMemoryBytes = bytes;
  return target;
}

/// Two of `tiny` side by side, core 4 being the first one of the second. A link
/// between them takes 40 ns, their barrier 7 ns.
inline Target twoTinyChips() {
  auto number = [](const std::string &value, const char *unit) {
    return "{value: " + value + ", unit: " + unit +
           ", kind: assumed, source: dendrolith}";
  };
  return Target::parse(
      Target::load("tiny").yamlText + "\nboard:\n  chips_x: " +
          number("2", "chips") + "\n  chips_y: " + number("1", "chips") +
          "\n  link:\n    forward: " + number("40000", "ps") +
          "\n    credit: " + number("40000", "ps") + "\n    interval: " +
          number("2000", "ps") + "\n    phits: " + number("1", "phits") +
          "\n    buffer: " + number("8", "flits") +
          "\n  barrier: {fixed: {time: " + number("7000", "ps") + "}}\n",
      "two.yaml");
}

/// `tiny` as four tiles of two cores, with 16 neurons each.
inline Target fourTiles() { return Target::load("tiny,mesh.cores_per_tile=2"); }

inline uint32_t addPopulation(MapNetwork &network, const std::string &name,
                              uint32_t size) {
  MapPopulation population;
  population.name = name;
  population.size = size;
  network.populations.push_back(population);
  return uint32_t(network.populations.size() - 1);
}

inline uint32_t addInput(MapNetwork &network, const std::string &name,
                         uint32_t size) {
  network.inputs.push_back({name, size, {}});
  return uint32_t(network.inputs.size() - 1);
}

/// weight(source element, target accumulator) decides; nothing = no synapse.
inline MapProjection &
connect(MapNetwork &network, bool fromInput, uint32_t source, uint32_t target,
        const std::function<std::optional<int>(uint32_t, uint32_t)> &weight) {
  MapProjection p;
  p.fromInput = fromInput;
  p.source = source;
  p.target = target;
  p.begin.push_back(0);
  for (uint32_t s = 0; s < network.sourceSize(p); ++s) {
    const MapPopulation &to = network.populations[target];
    for (uint32_t t = 0; t < to.size * to.accumulators; ++t)
      if (auto w = weight(s, t)) {
        p.accumulator.push_back(t);
        p.weight.push_back(int16_t(*w));
      }
    p.begin.push_back(p.accumulator.size());
  }
  network.projections.push_back(std::move(p));
  return network.projections.back();
}

inline MapProjection &dense(MapNetwork &network, bool fromInput,
                            uint32_t source, uint32_t target) {
  return connect(network, fromInput, source, target,
                 [](uint32_t, uint32_t) { return 1; });
}

/// Neuron i to neuron i.
inline MapProjection &oneToOne(MapNetwork &network, bool fromInput,
                               uint32_t source, uint32_t target) {
  return connect(network, fromInput, source, target,
                 [](uint32_t s, uint32_t t) -> std::optional<int> {
                   if (s == t)
                     return 1;
                   return std::nullopt;
                 });
}

inline const FitRow &row(const Mapping &mapping, const std::string &resource) {
  for (const FitRow &row : mapping.fit)
    if (row.resource == resource)
      return row;
  throw Error("no row " + resource);
}

/// The message of the Error that `run` throws, or "".
inline std::string errorOf(const std::function<void()> &run) {
  try {
    run();
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

/// The solution; throws Error with the reason where there is none.
template <class Solution> Solution solved(Fit<Solution> fit) {
  if (!fit)
    throw Error(fit.misfit().message);
  return std::move(*fit);
}

inline Mapping mapped(const MapNetwork &network, const Target &target,
                      const MappingOptions &options = {}) {
  return solved(mapNetwork(network, target, options));
}

/// Verifies slices against the network in the mapping's order; throws Error
/// with the reason where they are none.
inline void expectMapping(const MapNetwork &network, const Target &target,
                          const Mapping &mapping) {
  EXPECT_NO_THROW(
      solved(verify(permute(network, mapping.order), target, mapping.slices)));
}

/// On as few cores as are found.
inline Mapping fewest(const MapNetwork &network, const Target &target) {
  MappingOptions options;
  options.goal = "cores";
  return mapped(network, target, options);
}

/// What a step is predicted to cost of the term of that name.
inline double termOf(const Mapping &mapping, const std::string &name) {
  for (const MappingTerm &term : mapping.terms)
    if (term.name == name)
      return term.value;
  throw Error("no term " + name);
}

#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

inline Mapping mapWith(const MapNetwork &network, const Target &target,
                       const std::string &solver) {
  MappingOptions options;
  options.solver = solver;
  return mapped(network, target, options);
}

/// Two projections per population between any of them, of random density.
template <typename Below>
void connectAtRandom(MapNetwork &network, Below &&below) {
  uint32_t populations = uint32_t(network.populations.size());
  for (uint32_t k = 0; k < 2 * populations; ++k) {
    bool fromInput = below(6) == 0;
    uint32_t percent = 1 + below(30);
    connect(network, fromInput, fromInput ? 0 : below(populations),
            below(populations), [&](uint32_t, uint32_t) -> std::optional<int> {
              if (below(100) >= percent)
                return std::nullopt;
              return int(below(255)) - 127;
            });
  }
}

/// A few populations, random sizes, densities and rates.
inline MapNetwork randomNetwork(uint32_t seed) {
  std::mt19937 random(seed);
  // Distributions of the standard library differ between libraries.
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  MapNetwork network;
  addInput(network, "in", 4 + below(60));
  uint32_t populations = 3 + below(8);
  for (uint32_t p = 0; p < populations; ++p) {
    addPopulation(network, "p" + std::to_string(p), 8 + below(300));
    std::vector<double> rates;
    for (uint32_t n = 0; n < network.populations[p].size; ++n)
      rates.push_back(double(below(100)) / 100);
    network.populationRate.push_back(rates);
    network.hostOutput.push_back(below(4) == 0);
  }
  connectAtRandom(network, below);
  return network;
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_COMPILER_MAPPING_NETWORKS_H
