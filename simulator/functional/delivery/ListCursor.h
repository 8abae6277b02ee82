// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the lists of a core have been read while rows are built. A source's
// messages go to every core: read one by one, hundreds of tables would take
// turns, more than a cache can keep apart. A cursor reads the next few dozens
// of short lists at once, and gives them out.
//
// The plain twin is ListReader::at() with RowBuilder::addEntries(), which
// serves all lists that a cursor does not take. RowsTest holds both equal to
// the naive engine, which reads every list by itself. tests/bench/study.py
// shows the gain: with the twin, preparing a run takes 2.0 to 2.3 times as long
// (random networks of 10,000 and 100,000 neurons) or 1.2 times (the local one).

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_LISTCURSOR_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_LISTCURSOR_H

#include "runtime/arrays/LittleEndian.h"
#include "runtime/image/Tables.h"
#include "simulator/functional/delivery/CountedSums.h"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace dendrolith::sim {

// The synapse lists behind a core's in-axons, read where they lie packed in
// the image. Where lists follow each other as a compiler numbers them, reading
// them in order costs no memory; others are unpacked first.

class ListReader {
public:
  /// `core` outlives this, with its tables.
  explicit ListReader(const image::Core &core);

  struct List {
    uint32_t shape = 0;                  // index into shapes()
    uint32_t base = 0, delay = 0;        // fields of the in-axon
    uint32_t first = 0, firstOffset = 0; // into the weights and offsets
  };
  /// The list that in-axon `axon` serves.
  List at(uint32_t axon);

  const std::vector<SynapseList> &shapes() const { return lists.shapes; }
  int16_t weight(uint32_t i) const { return weights.weight(i); }
  uint32_t offset(uint32_t i) const { return offsets.raw[i]; }
  const PackedNumbers &allWeights() const { return weights; }
  const columns::View &allOffsets() const { return offsets.raw; }
  const columns::View &allCodes() const { return lists.code; }
  const columns::View &allBases() const { return axons.base; }
  uint32_t delay(uint32_t axon) const { return axons.delay[axon]; }
  bool hasOneDelay() const { return axons.delay.isOne(); }
  /// Whether any entry has a delay of its own, and how long it is.
  bool hasEntryDelays() const { return weights.hasDelays(); }
  uint32_t entryDelay(uint32_t i) const { return weights.delay(i); }
  size_t numWeights() const { return weights.size; }
  /// The largest weight in its packed form, which is twice the magnitude, plus
  /// the sign.
  uint32_t largestRaw() const { return weights.raw.largest(weights.size); }
  size_t numOffsets() const { return offsets.size; }
  size_t numLists() const { return lists.size; }
  size_t numAxons() const { return axons.size; }
  bool isInOrder() const { return inOrder; }

private:
  struct ListPlace {
    uint32_t first = 0, offset = 0;
  };
  void step(ListPlace &place, uint32_t list) const;
  /// Makes `axon` the next one.
  void seek(uint32_t axon);

  PackedLists lists;
  PackedInAxons axons;
  PackedWeights weights;
  PackedNumbers offsets;
  std::vector<SynapseList> unpacked; // empty where all is in order
  bool inOrder;
  // `places` has every kEvery-th list, once one is read out of order, and
  // `here` is the place of list `next`, which is likely the next one.
  static constexpr uint32_t kEvery = 64;
  std::vector<ListPlace> places;
  ListPlace here;
  uint32_t next = 0;
};

// How many of up to four packed weights are not zero, in one word instead of
// one by one.
//
// The plain twin is a loop that compares each weight with 0. CountNonZeroTest
// holds both equal. tests/bench/study.py shows the gain: with the twin,
// preparing a run of 10,000 and 100,000 neurons takes 7 % and 19 % longer.

/// Looks at `count` of the four numbers of type `Weight`, one or two bytes
/// each, that lie from `from` on; all four must be there to be read.
template <typename Weight>
uint32_t countNonZero(const char *from, uint32_t count) {
  constexpr uint32_t all = 4;
  using Word = std::conditional_t<sizeof(Weight) == 1, uint32_t, uint64_t>;
  constexpr unsigned bits = 8 * sizeof(Weight);
  constexpr Word ones = ~Word(0) / static_cast<Weight>(~Weight(0));
  constexpr Word high = ones << (bits - 1);
  Word word = loadLittle<Word>(from);
  if (count < all)
    word &= (Word(1) << (count * bits)) - 1;
  // Adding the largest number without a high bit to the low bits of each
  // carries into its high bit if any of them was set.
  word = (((word & ~high) + ~high) | word) & high;
  // The product sums the high bits, moved down, in its highest number.
  return static_cast<uint32_t>(((word >> (bits - 1)) * ones) >>
                               ((all - 1) * bits));
}

class ListCursor {
public:
  /// A contribution of a 16-bit weight and at most this shift fits 32 bits.
  static constexpr uint8_t kLargestShift = 16;
  /// So many entries are copied at a time.
  static constexpr uint32_t kStep = 4;
  /// So many words the longest list takes that is read ahead, copied in whole
  /// steps.
  static constexpr uint32_t kLargest = 32;

  /// `accumulator` is the first of the core, `delay` that of all in-axons, and
  /// `bits` the width of a packed entry's weight; with 0 nothing is read ahead.
  /// `mixed`: the core has neurons of several populations.
  ListCursor(const ListReader &reader, uint32_t accumulator, uint32_t delay,
             unsigned bits, bool mixed);

  /// Whether `axon` is the one after the last, which take() or next() read.
  bool isNext(uint32_t axon) const { return axon == at; }

  /// A short list; up to kStep - 1 words after its entries may be read.
  struct Taken {
    const uint32_t *entries = nullptr; // null if no list was taken
    uint32_t count = 0, kind = 0;
  };
  /// Takes the next list, if it is one that is read ahead. `kindOf(shape,
  /// nonZero, accumulator)` is the kind of lists of a shape that reach first
  /// that accumulator, and of which so many weights are not zero. It is the
  /// same for all accumulators of a population.
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

  /// Takes the next list, whatever it is, without its entries.
  ListReader::List next(const ListReader &reader);

private:
  static constexpr uint32_t kLists = 64, kEntries = 256;
  /// A list that is read ahead has at most so many entries.
  static constexpr uint32_t kMost = kLargest - 1;
  static constexpr uint32_t kNoKind = ~uint32_t(0);

  /// What the lists of one shape have in common.
  struct ListForm {
    uint32_t count = 0;      // of entries; 0 where it is not read ahead
    uint32_t sparse = 0;     // all bits are one where it has offsets, else none
    uint32_t kind = kNoKind; // that lists without a zero have, if not mixed
  };

  void findForms(const ListReader &reader);

  template <typename KindOf> void fill(const KindOf &kindOf) {
    readAhead();
    uint32_t next = 0; // the list's first entry
    for (uint32_t l = 0; l < filled; next += counts[l], ++l) {
      const uint32_t nonZero = kinds[l];
      const uint32_t shape = code[at + l];
      ListForm &form = forms[shape];
      if (mixed || nonZero != form.count)
        kinds[l] = kindOf(shape, nonZero, accumulatorOf(entries[next], bits));
      else if (form.kind == kNoKind)
        kinds[l] = form.kind =
            kindOf(shape, nonZero, accumulatorOf(entries[next], bits));
      else
        kinds[l] = form.kind;
    }
  }

  /// Reads the next lists. In place of their kinds it notes how many of their
  /// weights are not zero.
  void readAhead();
  template <typename Weight, typename Offset> void readLists();
  template <typename Weight, typename Offset>
  uint32_t copy(const ListForm &form, uint32_t place, uint32_t *out) const;

  // The in-axon of the next list; beyond all of them where lists are in another
  // order.
  uint32_t at;
  // The next one of the lists read ahead, their number, and the next one's
  // first entry.
  uint32_t slot = 0, filled = 0, entry = 0;
  uint8_t counts[kLists];
  uint32_t kinds[kLists];
  uint32_t entries[kEntries + kStep];

  columns::View code, base, weights, offsets;
  std::vector<ListForm> forms; // by code
  uint32_t accumulator, delay;
  unsigned bits;
  bool mixed;
  // The first weight and offset after the lists read ahead.
  uint32_t first = 0, firstOffset = 0;
  uint32_t end = 0; // in-axons before this one may be read ahead
};

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_LISTCURSOR_H
