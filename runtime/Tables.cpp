// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/Tables.h"

#include "runtime/LittleEndian.h"
#include "targets/Error.h"

#include <fmt/format.h>

using namespace neurite;

/// Rows in a blob of `size` bytes.
static size_t countRows(size_t size, size_t rowBytes) {
  if (size % rowBytes != 0)
    throw Error(fmt::format("expected whole rows of {} bytes, found {} bytes",
                            rowBytes, size));
  return size / rowBytes;
}

template <typename Row, typename Decode>
static std::vector<Row> decodeRows(const std::string &bytes, size_t rowBytes,
                                   Decode decode) {
  std::vector<Row> rows(countRows(bytes.size(), rowBytes));
  const char *at = bytes.data();
  for (Row &row : rows) {
    row = decode(at);
    at += rowBytes;
  }
  return rows;
}

std::vector<uint32_t> neurite::decodeU32(const std::string &bytes) {
  return decodeRows<uint32_t>(bytes, 4, loadLittle<uint32_t>);
}

std::vector<int16_t> neurite::decodeI16(const std::string &bytes) {
  return decodeRows<int16_t>(bytes, 2, [](const char *at) {
    return static_cast<int16_t>(loadLittle<uint16_t>(at));
  });
}

std::vector<InAxon> neurite::decodeInAxons(const std::string &bytes) {
  return decodeRows<InAxon>(bytes, InAxon::kBytes, [](const char *at) {
    return InAxon{loadLittle<uint32_t>(at), loadLittle<uint32_t>(at + 4),
                  loadLittle<uint16_t>(at + 8), loadLittle<uint16_t>(at + 10)};
  });
}

std::vector<SynapseList> neurite::decodeLists(const std::string &bytes) {
  return decodeRows<SynapseList>(
      bytes, SynapseList::kBytes, [](const char *at) {
        SynapseList list;
        list.first = loadLittle<uint32_t>(at);
        list.count = loadLittle<uint32_t>(at + 4);
        list.firstOffset = loadLittle<uint32_t>(at + 8);
        list.words = loadLittle<uint32_t>(at + 12);
        list.kind = static_cast<ListKind>(loadLittle<uint8_t>(at + 16));
        list.shift = loadLittle<uint8_t>(at + 17);
        list.weightBits = loadLittle<uint8_t>(at + 18);
        list.indexBits = loadLittle<uint8_t>(at + 19);
        return list;
      });
}

AxonTable neurite::decodeAxons(const image::Axons &axons) {
  AxonTable table;
  table.begin = decodeU32(axons.begin());
  table.rows =
      decodeRows<AxonRow>(axons.rows(), AxonRow::kBytes, [](const char *at) {
        return AxonRow{loadLittle<uint32_t>(at), loadLittle<uint32_t>(at + 4)};
      });
  // An absent table is the table of no sources.
  if (table.begin.empty())
    table.begin.push_back(0);
  return table;
}

std::string neurite::encodeU32(const std::vector<uint32_t> &values) {
  std::string bytes;
  bytes.reserve(values.size() * 4);
  for (uint32_t value : values)
    appendLittle(bytes, value);
  return bytes;
}

std::string neurite::encodeI16(const std::vector<int16_t> &values) {
  std::string bytes;
  bytes.reserve(values.size() * 2);
  for (int16_t value : values)
    appendLittle(bytes, static_cast<uint16_t>(value));
  return bytes;
}

std::string neurite::encodeInAxons(const std::vector<InAxon> &rows) {
  std::string bytes;
  bytes.reserve(rows.size() * InAxon::kBytes);
  for (const InAxon &row : rows) {
    appendLittle(bytes, row.list);
    appendLittle(bytes, row.base);
    appendLittle(bytes, row.port);
    appendLittle(bytes, row.delay);
  }
  return bytes;
}

std::string neurite::encodeLists(const std::vector<SynapseList> &rows) {
  std::string bytes;
  bytes.reserve(rows.size() * SynapseList::kBytes);
  for (const SynapseList &row : rows) {
    appendLittle(bytes, row.first);
    appendLittle(bytes, row.count);
    appendLittle(bytes, row.firstOffset);
    appendLittle(bytes, row.words);
    appendLittle(bytes, static_cast<uint8_t>(row.kind));
    appendLittle(bytes, row.shift);
    appendLittle(bytes, row.weightBits);
    appendLittle(bytes, row.indexBits);
  }
  return bytes;
}

image::Axons neurite::encodeAxons(const AxonTable &table) {
  image::Axons axons;
  axons.set_begin(encodeU32(table.begin));
  std::string rows;
  rows.reserve(table.rows.size() * AxonRow::kBytes);
  for (const AxonRow &row : table.rows) {
    appendLittle(rows, row.core);
    appendLittle(rows, row.axon);
  }
  axons.set_rows(std::move(rows));
  return axons;
}
