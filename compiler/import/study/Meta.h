// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text beside a study network: sizes, and the one neuron model there is.

#ifndef NEURITE_COMPILER_IMPORT_STUDY_META_H
#define NEURITE_COMPILER_IMPORT_STUDY_META_H

#include <cstdint>
#include <string>

namespace neurite::study {

struct Meta {
  std::string file; // the JSON file, for messages
  uint32_t neurons = 0, inputs = 0, cores = 0;
  uint64_t synapses = 0, steps = 0, outputSpikes = 0, inputSpikes = 0;
  int32_t leak = 0, threshold = 0;
  std::string rasterSha256; // of (step, id) pairs of int32; may be empty
};

/// Reads NAME.json, given the path of NAME.npz. Throws Error that names file
/// and key.
Meta readMeta(const std::string &npzPath);

} // namespace neurite::study

#endif // NEURITE_COMPILER_IMPORT_STUDY_META_H
