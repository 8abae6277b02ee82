// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one source's synapses into one slice are stored: dense or indexed.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_LISTFORMAT_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_LISTFORMAT_H

#include "targets/loader/chip/SynapseFormat.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace dendrolith {

/// The stored form of a list. Targets are counted from the slice's start.
struct ListPlan {
  bool sparse = false;
  /// In a dense list this is the first entry's target, so the in-axon begins at
  /// accumulator slice base + firstOffset. In a sparse list it is 0: indices
  /// count from the slice's start, and the in-axon begins at the slice's base.
  /// If a sparse list may be shared, its indices too count from the first
  /// entry's target.
  uint32_t firstOffset = 0;
  uint32_t count = 0;     // stored entries
  uint32_t indexBits = 0; // 0 for dense
  uint64_t words = 0;     // of synapse memory
  /// For a list that may be shared: a number that is equal for lists with equal
  /// weights at equal targets, counted from the first target.
  uint64_t content = 0;
};

/// The number that stands for a list's content, one entry after the other,
/// beginning with 0. Targets must rise, and weights must not be zero.
inline uint64_t addToContent(uint64_t content, uint32_t fromFirst,
                             int16_t weight) {
  // The number of an entry (by splitmix64) does not depend on those before it,
  // so that a processor works at several at a time.
  uint64_t entry = (uint64_t(fromFirst) << 16 | uint16_t(weight)) +
                   uint64_t(0x9e3779b97f4a7c15);
  entry = (entry ^ (entry >> 30)) * uint64_t(0xbf58476d1ce4e5b9);
  entry = (entry ^ (entry >> 27)) * uint64_t(0x94d049bb133111eb);
  return content + (entry ^ (entry >> 31));
}

/// Plans lists whose weights have one width. With `shared` they get the form in
/// which equal lists can be stored once.
class ListPlanner {
public:
  ListPlanner(const SynapseFormat &format, uint32_t weightBits, bool shared);

  /// Plans a list with `nonZero` > 0 targets whose weight is not zero; `first`
  /// and `last` are the first and the last of them, counted from the slice's
  /// start. The plan is the smaller of the dense and the indexed form in words,
  /// and dense if both are equal; with SynapseFormat::skipsZeros it is the
  /// indexed form wherever there is a zero. Indexed lists drop zero mantissas;
  /// dense ones store the zeros between the first and the last non-zero target.
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
    if (format.skipsZeros)
      return sparse;
    // A longer list takes no fewer words.
    if (dense.count >= kShort && sparse.words < denseWords[kShort - 1])
      return sparse;
    dense.words = denseOf(dense.count);
    return sparse.words < dense.words ? sparse : dense;
  }

private:
  // The words of lists shorter than this are looked up in a table, because most
  // lists are short.
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

/// Plans the n synapses of one source into a slice, whose neurons rise and are
/// >= sliceFirst. There is no plan when every mantissa is zero: then there is
/// no list, no axon and no message.
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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_LISTFORMAT_H
