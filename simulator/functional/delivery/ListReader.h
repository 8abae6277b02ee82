// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The synapse lists behind a core's in-axons, read where they lie packed in
// the image. Where lists follow each other as a compiler numbers them, reading
// them in order costs no memory; others are unpacked first.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_LISTREADER_H
#define DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_LISTREADER_H

#include "runtime/image/EntryDelays.h"

#include <cstdint>
#include <vector>

namespace dendrolith::sim {

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

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONAL_DELIVERY_LISTREADER_H
