// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one source's synapses into one slice are stored: dense or indexed.

#ifndef NEURITE_COMPILER_MAPPING_LISTFORMAT_H
#define NEURITE_COMPILER_MAPPING_LISTFORMAT_H

#include "targets/loader/SynapseFormat.h"

#include <array>
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

/// Plans lists of one width of weights. `shared`: in the form in which equal
/// lists can be stored once.
class ListPlanner {
public:
  ListPlanner(const SynapseFormat &format, uint32_t weightBits, bool shared);

  /// The smaller of the dense and the indexed form in words, ties to dense.
  /// Indexed lists drop zero mantissas; dense ones store the zeros between the
  /// first and the last non-zero target. Of `nonZero` > 0 targets, the first
  /// and the last of them counted from the slice's start.
  ListPlan plan(uint32_t nonZero, uint32_t first, uint32_t last) const {
    ListPlan dense;
    dense.firstOffset = first;
    dense.count = last - first + 1;
    // Without a gap indices only add bits, and an index beyond the widest code
    // leaves only the dense form.
    const Code &code = codes[bitsOf(shared ? last - first : last)];
    if (nonZero == dense.count || code.bits == 0) {
      dense.words = denseOf(dense.count);
      return dense;
    }
    ListPlan sparse;
    sparse.sparse = true;
    sparse.firstOffset = shared ? first : 0;
    sparse.count = nonZero;
    sparse.indexBits = code.bits;
    sparse.words =
        nonZero < kShort ? code.words[nonZero] : longWords(nonZero, code.bits);
    // A longer list takes no fewer words.
    if (dense.count >= kShort && sparse.words < denseWords[kShort - 1])
      return sparse;
    dense.words = denseOf(dense.count);
    return sparse.words < dense.words ? sparse : dense;
  }

private:
  // Of shorter lists words are looked up: there are many.
  static constexpr uint32_t kShort = 64;
  struct Code {
    uint32_t bits = 0; // 0: no code is so wide
    std::array<uint32_t, kShort> words{};
  };

  static unsigned bitsOf(uint32_t index) {
    return index ? 32 - static_cast<unsigned>(__builtin_clz(index)) : 0;
  }
  uint64_t denseOf(uint32_t entries) const {
    return entries < kShort ? denseWords[entries] : longWords(entries);
  }
  uint64_t longWords(uint32_t entries) const;
  uint64_t longWords(uint32_t entries, uint32_t indexBits) const;

  const SynapseFormat &format;
  const uint32_t weightBits;
  const bool shared;
  std::array<uint32_t, kShort> denseWords;
  std::array<Code, 33> codes; // by bits of the largest index
};

/// Of the n synapses of one source into a slice, neurons rising and >=
/// sliceFirst. Nothing when every mantissa is zero: no list, no axon, no
/// message.
inline std::optional<ListPlan> planList(const ListPlanner &planner,
                                        const uint32_t *neurons,
                                        const int16_t *weights, size_t n,
                                        uint32_t sliceFirst, bool shared) {
  uint32_t nonZero = 0, first = 0, last = 0;
  uint64_t content = 0;
  for (size_t i = 0; i < n; ++i) {
    if (weights[i] == 0)
      continue;
    if (nonZero++ == 0)
      first = neurons[i] - sliceFirst;
    last = neurons[i] - sliceFirst;
    if (shared)
      content = addToContent(content, last - first, weights[i]);
  }
  if (nonZero == 0)
    return std::nullopt;
  ListPlan plan = planner.plan(nonZero, first, last);
  plan.content = content;
  return plan;
}

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_LISTFORMAT_H
