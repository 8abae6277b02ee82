// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array of 32-bit words that grows up to a size said before, in pages of
// 2 MiB where the system has them: random rows of a large array otherwise miss
// the translation buffer once each.

#ifndef NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_HUGEPAGES_H
#define NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_HUGEPAGES_H

#include <cstddef>
#include <cstdint>

namespace neurite::sim {

class HugeArray {
public:
  HugeArray() = default;
  HugeArray(const HugeArray &) = delete;
  HugeArray &operator=(const HugeArray &) = delete;
  ~HugeArray();

  /// Once, before extend(). Throws std::bad_alloc.
  void reserve(size_t words);
  /// Room for so many words more, within what was reserved.
  uint32_t *extend(size_t count) {
    used += count;
    return words + used - count;
  }
  /// Words that extend() can give.
  size_t room() const { return reserved - used; }
  uint32_t *end() { return words + used; }
  const uint32_t *data() const { return words; }
  size_t size() const { return used; }

private:
  uint32_t *words = nullptr;
  void *mapping = nullptr;
  size_t mapped = 0, reserved = 0, used = 0; // bytes; words
};

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_FUNCTIONAL_DELIVERY_HUGEPAGES_H
