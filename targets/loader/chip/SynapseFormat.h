// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a synapse list occupies in a core's synapse memory.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_SYNAPSEFORMAT_H
#define DENDROLITH_TARGETS_LOADER_CHIP_SYNAPSEFORMAT_H

#include <cstdint>
#include <optional>
#include <vector>

namespace dendrolith {

/// Dense lists store weights in compartment order, sparse ones an index each.
enum class ListFormat { Dense, Sparse };

/// Bits needed to write 0..largest.
uint64_t bitsFor(uint64_t largest);

/// The packing of synapse lists into words. Loihi 1: blocks of up to 64
/// synapses, each block a header of 4 + 6 bits and then per synapse
/// weight + delay + tag (+ index) bits, rounded up to 64-bit words.
/// Source: NengoLoihi's model of the hardware.
struct SynapseFormat {
  uint64_t wordBits = 64;
  uint64_t blockSynapses = 64;
  uint64_t headerBits = 10;
  std::vector<uint64_t> weightBitCodes; // rising, {1,2,3,4,5,6,8}
  std::vector<uint64_t> indexBitCodes;  // rising, {0,6,...,12}; 0 = no index
  uint64_t maxDelayBits = 0, maxTagBits = 0; // largest width of each field
  /// How a mapping uses the format, which no target says: a list that has zeros
  /// between its targets is stored with indices even where a dense one takes
  /// fewer words, because a core works through a stored zero like through any
  /// other synapse.
  bool skipsZeros = false;

  /// Words of a list of `entries` synapses; 0 entries take 0 words. All widths
  /// in bits; `indexBits` is ignored for dense lists.
  uint64_t listWords(ListFormat format, uint64_t entries, uint64_t weightBits,
                     uint64_t indexBits = 0, uint64_t delayBits = 0,
                     uint64_t tagBits = 0) const;

  /// The smallest width that can be stored and holds `needed` bits; nothing
  /// when no code is wide enough.
  std::optional<uint64_t> weightBits(uint64_t needed) const;

  /// The smallest non-zero index width that holds `largestIndex`; nothing when
  /// no code is wide enough.
  std::optional<uint64_t> indexBits(uint64_t largestIndex) const;

  /// Bits of the delay field for delays 0..largest: 0 for 0; nothing when
  /// wider than the format's field.
  std::optional<uint64_t> delayBits(uint64_t largestDelay) const;
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_SYNAPSEFORMAT_H
