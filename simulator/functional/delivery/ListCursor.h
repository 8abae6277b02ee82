// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the lists of a core have been read up to. A source's messages go to
// every core: read one by one, hundreds of tables would take turns, more than a
// cache can keep apart. A cursor reads the next few dozens of short lists at
// once, and gives them out.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_LISTCURSOR_H
#define NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_LISTCURSOR_H

#include "simulator/functional/delivery/ListReader.h"

#include <cstdint>
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
  static constexpr uint32_t kNoKind = ~uint32_t(0);

  /// What the lists of one shape have in common.
  struct Form {
    uint32_t count = 0;      // 0 = not read ahead
    uint32_t sparse = 0;     // all ones or none
    uint32_t kind = kNoKind; // of lists without a zero
  };

  void findForms(const ListReader &reader);

  template <typename KindOf> void fill(const KindOf &kindOf) {
    readAhead();
    for (uint32_t l = 0; l < filled; ++l) {
      const uint32_t nonZero = kinds[l];
      const uint32_t shape = code[at + l];
      Form &form = forms[shape];
      if (nonZero != form.count)
        kinds[l] = kindOf(shape, nonZero);
      else if (form.kind == kNoKind)
        kinds[l] = form.kind = kindOf(shape, nonZero);
      else
        kinds[l] = form.kind;
    }
  }

  /// The next lists; as their kinds, weights that are not zero.
  void readAhead();
  template <typename Weight, typename Offset> void readLists();
  template <typename Weight, typename Offset>
  uint32_t copy(const Form &form, uint32_t place, uint32_t *out) const;
  void readAll();
  static void readBaseline(ListCursor &cursor);
  static void readAvx2(ListCursor &cursor);

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

#endif // NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_LISTCURSOR_H
