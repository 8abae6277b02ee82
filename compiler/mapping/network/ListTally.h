// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lists of one projection into one slice take. There are millions of
// lists, and each is looked at once.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_LISTTALLY_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_LISTTALLY_H

#include "compiler/mapping/network/Demand.h"
#include "compiler/mapping/network/ListFormat.h"
#include "compiler/mapping/network/ListWalk.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dendrolith {

// A set of numbers that are hashes already, in one array: convolutions look up
// two for each list of each source.

class HashSet {
public:
  /// Whether it was not there yet.
  bool insert(uint64_t value) {
    if (value == 0) {
      const bool fresh = !hasZero;
      hasZero = true;
      return fresh;
    }
    if (2 * (held + 1) > places.size())
      grow();
    uint64_t &place = find(value);
    if (place == value)
      return false;
    place = value;
    ++held;
    return true;
  }

  /// Asks the memory for the place of a value. gcc 12 takes a function that
  /// only prefetches for one without an effect, and drops it unless it is
  /// always inline.
  [[gnu::always_inline]] void fetch(uint64_t value) const {
    if (!places.empty())
      __builtin_prefetch(&places[firstOf(value)]);
  }

private:
  size_t firstOf(uint64_t value) const {
    return size_t(value ^ (value >> 32)) & (places.size() - 1);
  }
  /// Where the value is or would be; 0 stands for an empty place.
  uint64_t &find(uint64_t value) {
    const size_t mask = places.size() - 1;
    size_t at = firstOf(value);
    while (places[at] != 0 && places[at] != value)
      at = (at + 1) & mask;
    return places[at];
  }
  void grow() {
    std::vector<uint64_t> old(places.empty() ? 8 : 2 * places.size(), 0);
    old.swap(places);
    for (uint64_t value : old)
      if (value != 0)
        find(value) = value;
  }

  std::vector<uint64_t> places; // a power of two of them, or none
  size_t held = 0;
  bool hasZero = false;
};

/// What makes two lists of different format, as a set member. `formatBits` is
/// that of their projection.
uint64_t formatKey(const ListPlan &plan, uint32_t formatBits);

class ListTally {
public:
  /// With `shared`, lists have a content: those that are equal are stored once,
  /// and equal ones at equal bases have one in-axon.
  explicit ListTally(bool shared) : shared(shared) {}

  /// A slice whose core stores the kernel of a convolution, which takes so much
  /// whichever messages come.
  ListTally(uint64_t kernelWords, uint64_t kernelAxons)
      : shared(true), isKernel(true), axons(kernelAxons), words(kernelWords),
        formats(1) {}

  void add(const ListPlan &plan) {
    if (isKernel)
      return;
    formats |= uint64_t(1) << plan.indexBits; // at most 32
    if (!shared) {
      ++axons;
      words += plan.words;
      return;
    }
    waiting[held++] = {plan.content, plan.words, plan.firstOffset};
    if (held == waiting.size())
      settle();
  }

  uint64_t inAxons() {
    settle();
    return axons;
  }
  uint64_t synapseWords() {
    settle();
    return words;
  }
  void addTo(std::array<uint64_t, numSums> &sums, SmallSet &formatKeys,
             uint32_t formatBits);

private:
  struct Waiting {
    uint64_t content, words;
    uint32_t firstOffset;
  };
  void settle();

  bool shared, isKernel = false;
  uint64_t axons = 0, words = 0;
  uint64_t formats = 0; // by index bits, 0 = dense
  HashSet knownContents, knownAxons;
  // Sets of many slices are larger than caches, so that what is looked up is
  // asked for some lists ahead.
  std::array<Waiting, 16> waiting{};
  size_t held = 0;
};

/// An empty tally for each slice of the walk.
std::vector<ListTally> talliesOf(const ListWalk &walk);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_LISTTALLY_H
