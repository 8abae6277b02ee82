// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of synapse lists: of millions of lists few differ in more than
// where they lie.

#ifndef DENDROLITH_RUNTIME_IMAGE_LISTSHAPES_H
#define DENDROLITH_RUNTIME_IMAGE_LISTSHAPES_H

#include "runtime/image/Tables.h"

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace dendrolith {

/// All that the image says of a list but where it lies.
struct ListShape {
  ListShape() = default;
  explicit ListShape(const SynapseList &list)
      : count(list.count), words(list.words),
        rest(static_cast<uint32_t>(list.kind) | uint32_t(list.shift) << 8 |
             uint32_t(list.weightBits) << 16 | uint32_t(list.indexBits) << 24) {
  }
  bool operator==(const ListShape &other) const {
    return count == other.count && words == other.words && rest == other.rest;
  }
  bool operator<(const ListShape &other) const {
    return std::tie(count, words, rest) <
           std::tie(other.count, other.words, other.rest);
  }
  uint32_t count = 0, words = 0, rest = 0;
};

/// Numbers shapes as they are met. Few shapes take turns, so that those met
/// last are kept where they are found without a search.
class ListShapes {
public:
  uint32_t codeOf(const ListShape &shape) {
    const uint32_t mixed = shape.count * 5 + shape.words * 11 +
                           (shape.rest >> 24) * 3 + shape.rest;
    Known &slot = last[mixed % last.size()];
    if (!(slot.isKnown && slot.shape == shape))
      slot = {shape, find(shape), true};
    return slot.code;
  }
  /// All shapes by their code.
  const std::vector<ListShape> &inOrder() const { return all; }

private:
  struct Known {
    ListShape shape;
    uint32_t code = 0;
    bool isKnown = false;
  };
  uint32_t find(const ListShape &shape) {
    auto [at, isNew] = codes.emplace(shape, static_cast<uint32_t>(all.size()));
    if (isNew)
      all.push_back(shape);
    return at->second;
  }

  std::map<ListShape, uint32_t> codes;
  std::vector<ListShape> all;
  std::array<Known, 64> last{};
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_IMAGE_LISTSHAPES_H
