// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text beside a study network: sizes, and the one neuron model there is.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_META_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_META_H

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::study {

/// Neurons in a row that have a name, a bias and a rate in common.
struct Range {
  std::string name;
  uint32_t first = 0, size = 0;
  int32_t bias = 0;
  double rate = 0; // expected spikes of a neuron in a step
};

struct Meta {
  std::string file; // the JSON file, for messages
  uint32_t neurons = 0, inputs = 0, cores = 0;
  uint64_t synapses = 0, steps = 0, outputSpikes = 0, inputSpikes = 0;
  int32_t leak = 0, threshold = 0;
  std::string rasterSha256; // of (step, id) pairs of int32; may be empty
  std::string policy;       // who placed the neurons; may be empty
  uint32_t reach = 0; // standard deviation of a distance on a grid; 0: none
  /// A column: nobody says which spikes must come out and where neurons lie,
  /// but what follows.
  bool column = false;
  int32_t decayU = 4095;
  uint32_t refractory = 0;
  std::vector<Range> populations; // one after the other, all neurons
};

/// Reads NAME.json, given the path of NAME.npz. Throws Error that names file
/// and key.
Meta readMeta(const std::string &npzPath);

} // namespace dendrolith::study

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_META_H
