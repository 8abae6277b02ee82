// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synapse lists, in-axons and out-axons of every core from a mapped network.

#ifndef DENDROLITH_COMPILER_LOWERING_CORETABLES_H
#define DENDROLITH_COMPILER_LOWERING_CORETABLES_H

#include "compiler/lowering/NetworkToMap.h"
#include "compiler/mapping/result/Mapping.h"

#include "targets/loader/Target.h"

namespace dendrolith {

/// Rows as chip.synapses and chip.in_axons have them.
struct CoreTable {
  uint32_t id = 0;
  std::vector<Slice> slices;   // ascending base
  std::vector<int32_t> shapes; // of lists; 6 columns
  std::vector<int32_t> lists;  // their shapes, in the order they lie
  std::vector<int16_t> weights;
  std::vector<int32_t> offsets;
  std::vector<int16_t> delays;  // by weight; those at the end may lack, as 0
  std::vector<int32_t> inAxons; // 4 columns
  /// In-axons of kernels, each of which has a row for each list and base that
  /// the core makes of a source's place. Column 2 of those rows counts these
  /// from 1; it is 0 in a row that is an in-axon by itself.
  int32_t kernelAxons = 0;
};

/// Where a source sends: (core, in-axon).
using Messages = std::vector<std::pair<int32_t, int32_t>>;

/// What a population or an input sends, in parts: of each projection, those of
/// neighbouring slices of its target.
struct OutAxons {
  struct Part {
    Messages all; // source by source
    std::vector<size_t> begin{0};

    /// Takes what the next source sends.
    void add(const Messages &messages);
  };
  std::vector<Part> parts;

  /// How many messages `count` sources from `first` on send.
  size_t size(size_t first, size_t count) const;
  /// What a source sends, by core and in-axon.
  Messages of(size_t source) const;
};

/// What sharing lists saves, over all cores.
struct Sharing {
  uint64_t sources = 0; // lists if each source had its own
  uint64_t lists = 0, axons = 0;
  uint64_t words = 0, unsharedWords = 0;
};

struct ChipTables {
  std::vector<CoreTable> cores; // ascending id
  std::vector<OutAxons> inputs, populations;
  Sharing sharing; // of the projections that share
};

/// Lists are stored in order of projection, then source, then slice, so that
/// axon numbers (and with them the bytes of the image) follow from the network
/// and the mapping alone, on any number of threads.
ChipTables buildTables(const LoweredNetwork &network, const Mapping &mapping,
                       SynapseFormat format, unsigned threads);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_CORETABLES_H
