// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Study networks of integer LIF neurons: synapses by source in compressed rows
// (NAME.npz), what they mean in NAME.json beside it. README.md beside this file
// lists the arrays.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_FILE_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_FILE_H

#include "runtime/arrays/Zip.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::study {

/// How many bits of the potential are a fraction, and so how far a weight is
/// shifted.
constexpr int32_t kFractionBits = 6;
/// A weight has 8 bits and a sign.
constexpr int32_t kLargestWeight = 255;
/// The chip's threshold has 17 bits, in units of a weight's 1.
constexpr int32_t kLargestThreshold = (1 << 17) - 1;

/// Sources are numbered through: first the inputs, then the neurons.
struct Network {
  uint32_t inputs = 0, neurons = 0, cores = 0; // cores: those of the placement
  int32_t leak = 0, threshold = 0; // of 4096 a step; of a weight's 1
  std::vector<int64_t> begin;      // sources + 1
  std::vector<int32_t> target;     // neuron; distinct in a row
  std::vector<int16_t> weight;
  std::vector<int32_t> core; // by source
};

/// Spikes by (step from 1 on, id), rising.
struct Raster {
  std::vector<int32_t> step, id;
  size_t size() const { return step.size(); }
};

/// The SHA-256 of the (step, id) pairs, each number as int32.
std::string digestOf(const Raster &raster);

/// What goes in, and what must come out.
struct Stimulus {
  uint32_t inputs = 0, neurons = 0;
  uint64_t steps = 0;
  Raster in, expected;
};

/// Throws Error for more steps than a generated network can have: they have to
/// fit the reader's range, an archive and a person's patience. `spikes` are
/// those of a step, about.
void checkSteps(uint64_t steps, uint64_t sources, double spikes);

/// Whether an .npz archive is one of these: it has `row_ptr` or `col`.
bool isNetwork(const zip::Bytes &bytes, const std::string &path);

/// Both read and check `bytes`, those of the file at `path`, and the text
/// beside it. They throw Error that names file, array or JSON key, what was
/// expected and what was found.
Network readNetwork(const zip::Bytes &bytes, const std::string &path);
Stimulus readStimulus(const zip::Bytes &bytes, const std::string &path);

/// Steps that a spike can wait, and bits that a weight can be shifted.
constexpr int16_t kLongestDelay = 63, kLargestShift = 13;

/// By source: steps from a spike to its effect, and how far its weights are
/// shifted. Empty where it is 1 and kFractionBits for all.
struct Waits {
  std::vector<int16_t> delay, shift;
};

/// Reads and checks as readNetwork() does.
Waits readWaits(const zip::Bytes &bytes, const std::string &path);

} // namespace dendrolith::study

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_FILE_H
