// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the lists of a core have been read up to. A source's messages go to
// every core: read one by one, hundreds of tables would take turns, more than a
// cache can keep apart. A cursor reads the next few dozens of short lists at
// once, and gives them out.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_LISTCURSOR_H
#define NEURITE_SIMULATOR_FUNCTIONAL_LISTCURSOR_H

#include "simulator/functional/ListReader.h"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace neurite::sim {

class ListCursor {
public:
  /// With it and 16-bit weights a contribution fits 32 bits.
  static constexpr uint8_t kLargestShift = 16;
  /// Entries that are copied at a time.
  static constexpr uint32_t kStep = 4;
  /// Words of the longest list that is read ahead, copied in whole steps.
  static constexpr uint32_t kLargest = 32;

  /// `position`: of the core. `delay`: that of all in-axons. `bits`: of a
  /// packed entry's weight; 0 = nothing is read ahead.
  ListCursor(const ListReader &reader, uint32_t position, uint32_t delay,
             unsigned bits);

  /// Packed entries, one or several at a time.
  template <typename Words>
  static Words pack(Words position, Words weight, unsigned bits) {
    return position << bits | (weight & ((uint32_t(1) << bits) - 1));
  }

  /// Whether `axon` is the one after the last, which take() or next() read.
  bool isNext(uint32_t axon) const { return axon == at; }

  /// A short list; up to kStep - 1 words after its entries may be read.
  struct Taken {
    const uint32_t *entries = nullptr; // null: none, and nothing is read
    uint32_t count = 0, kind = 0;
  };
  /// `kindOf(shape, nonZero)` is the kind of lists of a shape of which so many
  /// weights are not zero.
  template <typename KindOf> Taken take(const KindOf &kindOf) {
    if (slot == filled)
      fill(kindOf);
    if (slot == filled)
      return {};
    const Taken taken{entries + entry, counts[slot], kinds[slot]};
    entry += taken.count;
    ++slot;
    ++at;
    return taken;
  }

  ListReader::List next(const ListReader &reader);

private:
  static constexpr uint32_t kLists = 64, kEntries = 256;
  /// Most entries of a list that is read ahead.
  static constexpr uint32_t kMost = kLargest - 1;
  typedef uint32_t Four __attribute__((vector_size(kStep * sizeof(uint32_t))));
  static constexpr uint32_t kNoKind = ~uint32_t(0);

  /// What the lists of one shape have in common.
  struct Form {
    uint32_t count = 0;      // 0 = not read ahead
    uint32_t sparse = 0;     // all ones or none
    uint32_t kind = kNoKind; // of lists without a zero
  };

  void findForms(const ListReader &reader);

  template <typename KindOf> void fill(const KindOf &kindOf) {
    slot = filled = entry = 0;
    if (at >= end)
      return;
    if (weights.bytes() == 1)
      offsets.bytes() == 1 ? fillFrom<uint8_t, uint8_t>(kindOf)
                           : fillFrom<uint8_t, uint16_t>(kindOf);
    else
      offsets.bytes() == 1 ? fillFrom<uint16_t, uint8_t>(kindOf)
                           : fillFrom<uint16_t, uint16_t>(kindOf);
  }

  template <typename Weight, typename Offset, typename KindOf>
  void fillFrom(const KindOf &kindOf) {
    uint32_t used = 0;
    for (uint32_t axon = at;
         axon < end && filled < kLists && used + kMost < kEntries; ++axon) {
      const uint32_t shape = code[axon];
      Form &form = forms[shape];
      if (form.count == 0)
        return;
      const uint32_t nonZero =
          copy<Weight, Offset>(form, position + base[axon], entries + used);
      if (nonZero != form.count)
        kinds[filled] = kindOf(shape, nonZero);
      else if (form.kind == kNoKind)
        kinds[filled] = form.kind = kindOf(shape, nonZero);
      else
        kinds[filled] = form.kind;
      counts[filled++] = static_cast<uint8_t>(form.count);
      used += form.count;
      first += form.count;
      firstOffset += form.count & form.sparse;
    }
  }

  /// Of `count` weights from `from` on, but kStep, those that are not zero.
  template <typename Weight>
  static uint32_t countNonZero(const char *from, uint32_t count) {
    using All = std::conditional_t<sizeof(Weight) == 1, uint32_t, uint64_t>;
    constexpr unsigned bits = 8 * sizeof(Weight);
    constexpr All ones = ~All(0) / static_cast<Weight>(~Weight(0));
    constexpr All high = ones << (bits - 1);
    All all = loadLittle<All>(from);
    if (count < kStep)
      all &= (All(1) << (count * bits)) - 1;
    all = (((all & ~high) + ~high) | all) & high;
    return static_cast<uint32_t>(((all >> (bits - 1)) * ones) >>
                                 ((kStep - 1) * bits));
  }

  /// kStep numbers.
  template <typename T> static Four load(const char *from) {
    typedef T Numbers __attribute__((vector_size(kStep * sizeof(T))));
    Numbers numbers;
    std::memcpy(&numbers, from, sizeof numbers);
    return __builtin_convertvector(numbers, Four);
  }

  /// Returns how many weights are not zero.
  template <typename Weight, typename Offset>
  uint32_t copy(const Form &form, uint32_t place, uint32_t *out) const {
    // In steps of some entries, of which the last may have some of the next
    // list: how many there are is then seldom mispredicted. Nor does it take a
    // branch whether offsets or the order tell where they go.
    const char *w = weights.data() + size_t(first) * sizeof(Weight);
    const char *o = offsets.data() + size_t(firstOffset) * sizeof(Offset);
    Four order = {0, 1, 2, 3};
    uint32_t nonZero = 0;
    for (uint32_t k = 0; k < form.count; k += kStep) {
      // Signs lie last (PackedNumbers).
      const Four raw = load<Weight>(w + k * sizeof(Weight));
      const Four offset = load<Offset>(o + (k & form.sparse) * sizeof(Offset));
      const Four target = (offset & form.sparse) | (order & ~form.sparse);
      const Four packed =
          pack<Four>(target + place, (raw >> 1) ^ (0 - (raw & 1)), bits);
      std::memcpy(out + k, &packed, sizeof packed);
      nonZero += countNonZero<Weight>(w + k * sizeof(Weight), form.count - k);
      order += kStep;
    }
    return nonZero;
  }

  uint32_t at;                              // in-axon; none that there is:
                                            // read in another order
  uint32_t slot = 0, filled = 0, entry = 0; // of the lists read ahead
  uint8_t counts[kLists];
  uint32_t kinds[kLists];
  uint32_t entries[kEntries + kStep];

  columns::View code, base, weights, offsets;
  std::vector<Form> forms; // by code
  uint32_t position, delay;
  unsigned bits;
  uint32_t first = 0, firstOffset = 0; // after the lists read ahead
  uint32_t end = 0;                    // in-axons before it may be read ahead
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_LISTCURSOR_H
