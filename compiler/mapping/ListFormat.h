// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one source's synapses into one slice are stored: dense or indexed.

#ifndef NEURITE_COMPILER_MAPPING_LISTFORMAT_H
#define NEURITE_COMPILER_MAPPING_LISTFORMAT_H

#include "targets/SynapseFormat.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>

namespace neurite {

/// The stored form of a list. Targets are counted from the slice's start.
struct ListPlan {
  bool sparse = false;
  /// Dense: the first entry's target, so the in-axon's compartment base is the
  /// slice's base + firstOffset. Sparse: 0, indices count from the slice's
  /// start and the in-axon's base is the slice's base; of a list that may be
  /// shared they too count from the first entry's target.
  uint32_t firstOffset = 0;
  uint32_t count = 0;     // stored entries
  uint32_t indexBits = 0; // 0 for dense
  uint64_t words = 0;     // of synapse memory
  /// Of a list that may be shared: equal for equal targets, counted from the
  /// first, and weights.
  uint64_t content = 0;
};

/// Content of a list, entry by entry from 0: targets that rise, non-zero
/// weights.
uint64_t addToContent(uint64_t content, uint32_t fromFirst, int16_t weight);

/// What lists take that a core stores once if they are equal: those of one
/// projection into one slice. Equal lists at equal bases share the in-axon too.
class SharedLists {
public:
  struct Added {
    bool axon = true; ///< a new in-axon
    uint64_t words = 0;
  };
  Added add(const ListPlan &plan);

private:
  std::unordered_set<uint64_t> contents, axons;
};

/// The smaller of the dense and the indexed form in words, ties to dense.
/// Indexed lists drop zero mantissas; dense ones store the zeros between the
/// first and the last non-zero target. `neurons` and `weights` hold the n
/// synapses of one source into the slice, neurons rising and >= sliceFirst.
/// Nothing when every mantissa is zero: no list, no axon, no message. `shared`:
/// in the form in which equal lists can be stored once.
std::optional<ListPlan> planList(const SynapseFormat &format,
                                 const uint32_t *neurons,
                                 const int16_t *weights, size_t n,
                                 uint32_t sliceFirst, uint32_t weightBits,
                                 bool shared);

/// The same from the numbers that decide: `nonZero` > 0 targets, the first and
/// the last of them counted from the slice's start.
ListPlan planList(const SynapseFormat &format, uint32_t nonZero, uint32_t first,
                  uint32_t last, uint32_t weightBits, bool shared);

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_LISTFORMAT_H
