// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows inside the blobs of a program image, which are packed (Columns.h).
// Decoders throw Error when a blob is no whole table, and check nothing else
// (that is validate()'s work). Equal rows give equal bytes.

#ifndef DENDROLITH_RUNTIME_IMAGE_TABLES_H
#define DENDROLITH_RUNTIME_IMAGE_TABLES_H

#include "runtime/image/Columns.h"
#include "runtime/image/program.pb.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace dendrolith {

/// What a message to an in-axon of a core does there in step t: it adds the
/// entries of `list` to accumulators from `base` on, into the bucket of step
/// t + 1 + `delay`. Rows with a `port` above 0 in common are one in-axon of the
/// chip, which makes of each source's place what the rows say.
struct InAxon {
  uint32_t list = 0, base = 0;
  uint16_t port = 0, delay = 0;
};

/// The layout of a synapse list, as SynapseList::kind. Images store the
/// numbers, which therefore never change.
enum class ListKind : uint8_t { Dense = 0, Sparse = 1, Conv = 2 };

/// What SynapseList::shift holds where products are shifted to the right: so
/// much more than the bits, of which there is at least one.
constexpr uint8_t kRightShift = 64;

/// By how many bits a list's products are shifted to the right (down), after
/// which they wrap to 16 bits; 0 for a list that shifts to the left.
constexpr unsigned rightShiftOf(uint8_t shift) {
  return shift > kRightShift ? shift - kRightShift : 0u;
}
/// Whether a list may have that shift: 0 to 31 to the left, or 1 to 31 right.
constexpr bool isListShift(uint8_t shift) {
  return shift <= 31 || (shift > kRightShift && shift <= kRightShift + 31);
}
/// The shift to the left; 0 for a list that shifts to the right.
constexpr unsigned leftShiftOf(uint8_t shift) {
  return shift > kRightShift ? 0u : shift;
}
/// What an entry of a list with that shift adds, modulo 2^64.
constexpr int64_t contribution(int16_t weight, int64_t payload, uint8_t shift) {
  const uint64_t product =
      static_cast<uint64_t>(int64_t(weight)) * static_cast<uint64_t>(payload);
  if (const unsigned right = rightShiftOf(shift))
    return static_cast<int16_t>(static_cast<int64_t>(product) >> right);
  return static_cast<int64_t>(product << shift);
}

/// Entries [first, first + count) of the core's weights. The accumulators of a
/// sparse list are at [firstOffset, firstOffset + count) of the core's offsets.
/// `words` is the memory that the list takes and a delivery reads. `shift` is
/// that of a product, to the left up to 31, or as rightShiftOf() reads it.
struct SynapseList {
  uint32_t first = 0, count = 0, firstOffset = 0, words = 0;
  ListKind kind = ListKind::Dense;
  uint8_t shift = 0, weightBits = 0, indexBits = 0;
};

/// The table of a core's lists, read where it lies packed. The blob outlives
/// this.
struct PackedLists {
  explicit PackedLists(const std::string &lists);
  size_t size = 0;
  std::vector<SynapseList> shapes; // first and firstOffset mean nothing
  columns::View code;              // index into shapes
  // How far each list begins from the end of the one before it.
  columns::View first, offset;
  /// Whether each list begins where the one before it ends. One of a
  /// convolution has a place of its own among the offsets.
  bool inOrder() const;
};
/// The table of a core's in-axons, in the same way.
struct PackedInAxons {
  explicit PackedInAxons(const std::string &inAxons);
  size_t size = 0;
  columns::View base, list, port, delay; // `list` lacks the row's number
};
/// A table of numbers, which are unsigned, or have 16 bits with a sign.
struct PackedNumbers {
  explicit PackedNumbers(const std::string &bytes);
  size_t size = 0;
  columns::View raw;
  int16_t weight(size_t i) const {
    uint32_t value = raw[i];
    return static_cast<int16_t>((value >> 1) ^ (0u - (value & 1)));
  }
};

/// A message, which goes to in-axon `axon` of the core with id `core`.
struct AxonRow {
  uint32_t core = 0, axon = 0;
};

/// The messages of all sources: source i sends rows [begin[i], begin[i + 1]) in
/// order.
struct AxonTable {
  std::vector<uint32_t> begin = {0};
  std::vector<AxonRow> rows;
  size_t sources() const { return begin.size() - 1; }
};

/// How many rows a blob has, read from its first bytes.
size_t countRows(const std::string &bytes);

std::vector<uint32_t> decodeU32(const std::string &bytes);
std::vector<int16_t> decodeI16(const std::string &bytes);
std::vector<InAxon> decodeInAxons(const std::string &bytes);
std::vector<SynapseList> decodeLists(const std::string &bytes);
AxonTable decodeAxons(const image::Axons &axons);

std::string encodeU32(const std::vector<uint32_t> &values);
std::string encodeI16(const std::vector<int16_t> &values);
std::string encodeInAxons(const std::vector<InAxon> &rows);
std::string encodeLists(const std::vector<SynapseList> &rows);
/// The same bytes for lists that lie one after the other, of which each has the
/// shape shapes[code].
std::string encodeLists(const std::vector<SynapseList> &shapes,
                        const std::vector<uint32_t> &codes);
image::Axons encodeAxons(const AxonTable &table);

// Synapse memory whose entries have a delay each, as words have them on a chip
// with delay bits. The table of weights then has a second column: how many
// steps an entry comes later than its in-axon says. A table without delays has
// the same bytes as encodeI16() gives it.

/// The weights of a core, read where they lie packed, with their delays.
struct PackedWeights : PackedNumbers {
  explicit PackedWeights(const std::string &bytes);
  bool hasDelays() const { return !delays.isAll(0); }
  uint32_t delay(size_t i) const { return hasDelays() ? delays[i] : 0; }
  /// The largest delay of an entry; 0 where none has any.
  uint32_t longest() const { return hasDelays() ? delays.largest(size) : 0; }
  columns::View delays;
};

/// By weight; empty where no entry has a delay.
std::vector<uint16_t> decodeDelays(const std::string &weights);

/// `delays` has one for each weight, or is empty.
std::string encodeWeights(const std::vector<int16_t> &weights,
                          const std::vector<uint16_t> &delays);

// The shapes of synapse lists: of millions of lists few differ in more than
// where they lie.

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

#endif // DENDROLITH_RUNTIME_IMAGE_TABLES_H
