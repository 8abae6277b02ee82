// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Study networks made of a seed, with the spikes that they must give.

#ifndef NEURITE_COMPILER_IMPORT_STUDY_GENERATE_H
#define NEURITE_COMPILER_IMPORT_STUDY_GENERATE_H

#include "compiler/import/study/File.h"

#include <optional>

namespace neurite::study {

struct Recipe {
  enum class Mode {
    Random, // each source to `fanout` distinct neurons anywhere
    Local   // each source to 3 cores near its own, 27 neurons in a row on each
  };
  Mode mode = Mode::Random;
  uint32_t neurons = 1000, inputs = 0; // 0 = a tenth of the neurons
  uint32_t fanout = 100;               // Random only
  uint32_t cores = 128;
  bool blocks = false; // Random: consecutive sources on a core, else in turn
  uint64_t steps = 100, seed = 1;
  double rate = 0.05, inputRate = 0.05; // spikes of a neuron, an input per step
  int32_t leak = 512;                   // of 4096 per step
  int32_t inputWeight = 96, weight = 32; // largest magnitudes
  std::optional<int32_t> threshold;      // else found for `rate`
};

constexpr uint32_t kLocalCores = 3, kLocalRun = 27, kLocalReach = 4;

struct Generated {
  Network network;
  Stimulus stimulus;
  std::vector<uint64_t> perStep; // spikes
};

/// The network depends on the recipe alone: random numbers are splitmix64 of a
/// counter, so that a script in another language can make the same one. Throws
/// Error for numbers that make no network.
Generated generate(const Recipe &recipe);

/// Computes the spikes of a network by a plain loop over neurons and rows,
/// which shares nothing with the engines.
Raster simulate(const Network &network, const Stimulus &stimulus,
                uint64_t steps, std::vector<uint64_t> &perStep);

/// Writes PREFIX.npz and PREFIX.json. Both appear or none.
void write(const Generated &generated, const Recipe &recipe,
           const std::string &prefix);

} // namespace neurite::study

#endif // NEURITE_COMPILER_IMPORT_STUDY_GENERATE_H
