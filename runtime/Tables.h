// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows inside the blobs of a program image. All numbers are little-endian
// whatever the host; decoders throw Error when a blob is not a whole number of
// rows, and check nothing else (that is validate()'s work).

#ifndef NEURITE_RUNTIME_TABLES_H
#define NEURITE_RUNTIME_TABLES_H

#include "runtime/program.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace neurite {

/// What a message to axon a of a core means there: run `list` from compartment
/// `base`, into bucket t + 1 + `delay` of `port`.
struct InAxon {
  static constexpr size_t kBytes = 12;
  uint32_t list = 0, base = 0;
  uint16_t port = 0, delay = 0;
};

/// The layout of a synapse list, as SynapseList::kind.
enum class ListKind : uint8_t { Dense = 0, Sparse = 1, Conv = 2 };

/// Entries [first, first + count) of the core's weights; for sparse lists the
/// compartments are at [firstOffset, firstOffset + count) of its offsets.
/// `words` is the memory the list takes and a delivery reads.
struct SynapseList {
  static constexpr size_t kBytes = 20;
  uint32_t first = 0, count = 0, firstOffset = 0, words = 0;
  ListKind kind = ListKind::Dense;
  uint8_t shift = 0, weightBits = 0, indexBits = 0;
};

/// One message: to in-axon `axon` of the core with id `core`.
struct AxonRow {
  static constexpr size_t kBytes = 8;
  uint32_t core = 0, axon = 0;
};

/// Messages by source: source i sends rows [begin[i], begin[i + 1]) in order.
struct AxonTable {
  std::vector<uint32_t> begin = {0};
  std::vector<AxonRow> rows;
  size_t sources() const { return begin.size() - 1; }
};

std::vector<uint32_t> decodeU32(const std::string &bytes);
std::vector<int16_t> decodeI16(const std::string &bytes);
std::vector<InAxon> decodeInAxons(const std::string &bytes);
std::vector<SynapseList> decodeLists(const std::string &bytes);
AxonTable decodeAxons(const image::Axons &axons);

std::string encodeU32(const std::vector<uint32_t> &values);
std::string encodeI16(const std::vector<int16_t> &values);
std::string encodeInAxons(const std::vector<InAxon> &rows);
std::string encodeLists(const std::vector<SynapseList> &rows);
image::Axons encodeAxons(const AxonTable &table);

} // namespace neurite

#endif // NEURITE_RUNTIME_TABLES_H
