// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows inside the blobs of a program image, which are packed (Columns.h).
// Decoders throw Error when a blob is no whole table, and check nothing else
// (that is validate()'s work). Equal rows give equal bytes.

#ifndef NEURITE_RUNTIME_IMAGE_TABLES_H
#define NEURITE_RUNTIME_IMAGE_TABLES_H

#include "runtime/image/Columns.h"
#include "runtime/image/program.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace neurite {

/// What a message to axon a of a core means there: run `list` from compartment
/// `base`, into bucket t + 1 + `delay` of `port`.
struct InAxon {
  uint32_t list = 0, base = 0;
  uint16_t port = 0, delay = 0;
};

/// The layout of a synapse list, as SynapseList::kind. Images store the numbers,
/// which therefore never change.
enum class ListKind : uint8_t { Dense = 0, Sparse = 1, Conv = 2 };

/// Entries [first, first + count) of the core's weights; for sparse lists the
/// compartments are at [firstOffset, firstOffset + count) of its offsets.
/// `words` is the memory the list takes and a delivery reads.
struct SynapseList {
  uint32_t first = 0, count = 0, firstOffset = 0, words = 0;
  ListKind kind = ListKind::Dense;
  uint8_t shift = 0, weightBits = 0, indexBits = 0;
};

/// The tables of a core's memory in place, as long as the blobs live.
struct PackedLists {
  explicit PackedLists(const std::string &lists);
  size_t size = 0;
  std::vector<SynapseList> shapes; // first and firstOffset mean nothing
  columns::View code;              // index into shapes
  columns::View first, offset;     // minus where the list would follow
  /// Whether each list begins where the one before it ends. One of a
  /// convolution has a place of its own among the offsets.
  bool inOrder() const;
};
struct PackedInAxons {
  explicit PackedInAxons(const std::string &inAxons);
  size_t size = 0;
  columns::View base, list, port, delay; // list: minus the row's number
};
/// Numbers one by one: unsigned, or 16 bits with a sign.
struct PackedNumbers {
  explicit PackedNumbers(const std::string &bytes);
  size_t size = 0;
  columns::View raw;
  int16_t weight(size_t i) const {
    uint32_t value = raw[i];
    return static_cast<int16_t>((value >> 1) ^ (0u - (value & 1)));
  }
};

/// One message: to in-axon `axon` of the core with id `core`.
struct AxonRow {
  uint32_t core = 0, axon = 0;
};

/// Messages by source: source i sends rows [begin[i], begin[i + 1]) in order.
struct AxonTable {
  std::vector<uint32_t> begin = {0};
  std::vector<AxonRow> rows;
  size_t sources() const { return begin.size() - 1; }
};

/// Rows of a blob, read from its first bytes.
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
/// Of lists that lie one after the other, each of shapes[code]: the same bytes
/// as of their rows.
std::string encodeLists(const std::vector<SynapseList> &shapes,
                        const std::vector<uint32_t> &codes);
image::Axons encodeAxons(const AxonTable &table);

} // namespace neurite

#endif // NEURITE_RUNTIME_IMAGE_TABLES_H
