// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network as far as sizes and rates say it: nothing here grows with neurons
// or synapses, so that 10^9 synapses are as cheap as ten.

#ifndef DENDROLITH_RUNTIME_SESSION_PLAN_DESCRIPTION_H
#define DENDROLITH_RUNTIME_SESSION_PLAN_DESCRIPTION_H

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::plan {

/// Neurons of one kind, or an input.
struct Part {
  std::string name;
  uint64_t size = 0;
  double rate = 0; // spikes of one in a step
};

/// A convolution, by its channels.
struct Kernel {
  uint64_t from = 0, to = 0, taps = 0; ///< none where taps is 0
};

/// Synapses between two parts, as good as random.
struct Bundle {
  size_t from = 0, to = 0; // numbers of parts
  double synapses = 0;
  /// The targets of a source lie among so many neurons of `to` that are mapped
  /// side by side; 0: anywhere.
  double within = 0;
  /// Targets come in rows of so many neurons.
  double run = 1;
  /// Synapses of one source have delays of 1 to so many steps.
  uint64_t delays = 1;
  Kernel kernel = {};
};

struct Description {
  std::string name;
  std::vector<Part> parts; // inputs first
  size_t inputs = 0;       // how many of the parts are inputs
  std::vector<Bundle> bundles;
  uint64_t weightBits = 8, delay = 1; // the longest

  uint64_t neurons() const;
  double synapses() const;
  /// Synaptic operations in a step.
  double operations() const;
};

/// Reads a description (.yaml, .yml, .json), or of a study network or a
/// microcircuit (.npz) the JSON file beside it. Throws Error that names file
/// and place.
Description readDescription(const std::string &path);

} // namespace dendrolith::plan

#endif // DENDROLITH_RUNTIME_SESSION_PLAN_DESCRIPTION_H
