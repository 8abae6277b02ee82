// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of numbers that are hashes already, in one array: convolutions look up
// two for each list of each source.

#ifndef DENDROLITH_COMPILER_MAPPING_NETWORK_HASHSET_H
#define DENDROLITH_COMPILER_MAPPING_NETWORK_HASHSET_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dendrolith {

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

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_NETWORK_HASHSET_H
