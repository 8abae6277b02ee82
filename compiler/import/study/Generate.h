// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Study networks made of a seed, with the spikes that they must give.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_GENERATE_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_GENERATE_H

#include "compiler/import/study/File.h"

#include <optional>

namespace dendrolith::study {

/// As many as an archive of 4 GiB holds.
constexpr uint64_t kMostSynapses = 640000000;

struct Recipe {
  enum class Mode {
    Random, // each source to `fanout` distinct neurons anywhere
    Local,  // each source to 3 cores near its own, 27 neurons in a row on each
    Spatial // neurons on a square grid that closes on itself, each source to
            // `fanout` distinct ones at normally distributed distances
  };
  Mode mode = Mode::Random;
  uint32_t neurons = 1000, inputs = 0; // 0 = a tenth of the neurons
  uint32_t fanout = 100;               // not Local
  uint32_t reach = 10;    // Spatial: standard deviation of a distance
  double anywhere = 0.01; // Spatial: share of synapses that lead anywhere
  uint32_t cores = 128;
  bool blocks = false; // Random: consecutive sources on a core, else in turn
  uint64_t steps = 100, seed = 1;
  double rate = 0.05, inputRate = 0.05; // spikes of a neuron, an input per step
  int32_t leak = 512;                   // of 4096 per step
  int32_t inputWeight = 96, weight = 32; // largest magnitudes
  std::optional<int32_t> threshold;      // else found for `rate`
  /// More synapses are not kept in memory: their rows are made again whenever
  /// they are needed, and the threshold is that of a smaller network of the
  /// same recipe.
  uint64_t kept = uint64_t(1) << 25;
};

constexpr uint32_t kLocalCores = 3, kLocalRun = 27, kLocalReach = 4;

struct Generated {
  Network network; // without synapses where they are not kept
  uint64_t synapses = 0;
  Stimulus stimulus;
  std::vector<uint64_t> perStep; // spikes
};

/// The network depends on the recipe alone: random numbers are splitmix64 of a
/// counter, so that a script in another language can make the same one. Throws
/// Error for numbers that make no network.
Generated generate(const Recipe &recipe);

/// Writes PREFIX.npz and PREFIX.json, piece by piece. Both appear or none.
void write(const Generated &generated, const Recipe &recipe,
           const std::string &prefix);

} // namespace dendrolith::study

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_GENERATE_H
