// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a convolution takes of a core that stores its kernel once and finds the
// weights of a source by its place (MapKernel in Network.h). For each source
// channel and tap there is a dense list of weights, one for each target channel
// that the slice has of the group.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_KERNELS_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_KERNELS_H

#include "compiler/mapping/network/ListFormat.h"
#include "compiler/mapping/network/Network.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace dendrolith {

/// Words of one list of a kernel for so many target channels.
uint64_t kernelListWords(const SynapseFormat &format,
                         const MapProjection &projection, uint32_t channels);

/// The words that a slice takes while it grows.
class KernelMeter {
public:
  /// `format` and `projection`, which has a kernel, outlive this.
  KernelMeter(const SynapseFormat &format, const MapProjection &projection);

  /// Begins with another slice.
  void clear();
  /// Takes a neuron more; by how many words the kernel grows.
  uint64_t add(uint32_t neuron);
  /// Words of all lists of the slice.
  uint64_t words() const { return total; }
  /// How many of its channels the slice has, by group.
  const std::vector<uint32_t> &channels() const { return ofGroup; }

private:
  const SynapseFormat &format;
  const MapProjection &projection;
  std::vector<bool> seen;        // by channel
  std::vector<uint32_t> ofGroup; // channels
  uint64_t total = 0;
};

/// A kernel in the slices of a target that is split.
class KernelWords {
public:
  /// Slices begin at `starts`, which end with the size of the population.
  KernelWords(const SynapseFormat &format, const MapProjection &projection,
              const std::vector<uint32_t> &starts);

  /// Words that a core stores for a slice.
  uint64_t stored(size_t slice) const { return words[slice]; }

  /// In so many lists.
  uint64_t lists(size_t slice) const;

  /// What a message of one source does in a slice from neuron `sliceFirst` on,
  /// of which it reaches n neurons, rising; nothing where every weight is zero.
  /// The list is as if it had been stored, without zeros; its words are those
  /// that a core reads.
  std::optional<ListPlan> plan(size_t slice, const uint32_t *neurons,
                               const int16_t *weights, size_t n,
                               uint32_t sliceFirst) const;

private:
  const MapKernel &kernel;
  size_t groups() const { return ofOneTap.size() / words.size(); }

  std::vector<uint64_t> words;    // by slice
  std::vector<uint32_t> ofOneTap; // words by slice and group
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_KERNELS_H
