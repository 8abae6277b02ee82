// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compiler numbers in order needs no bytes: such columns hold how far
// their values are from the expected ones, which is zero throughout. Where few
// different lists occur, a dictionary has them once.

#include "runtime/image/Tables.h"

#include "runtime/arrays/LittleEndian.h"
#include "runtime/image/Columns.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>

using namespace dendrolith;
using columns::Column;

PackedNumbers::PackedNumbers(const std::string &bytes) {
  if (bytes.empty())
    return;
  columns::TableReader reader(bytes);
  size = reader.rows();
  raw = reader.eachView();
  reader.end();
}

std::vector<uint32_t> dendrolith::decodeU32(const std::string &bytes) {
  PackedNumbers packed(bytes);
  std::vector<uint32_t> values(packed.size);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = packed.raw[i];
  return values;
}

std::string dendrolith::encodeU32(const std::vector<uint32_t> &values) {
  if (values.empty())
    return "";
  columns::TableWriter writer(values.size());
  writer.each(values);
  return std::move(writer).end();
}

// The sign is the lowest bit, so that small numbers of either sign take few
// bits.
static uint32_t zigzag(int32_t value) {
  return (static_cast<uint32_t>(value) << 1) ^
         static_cast<uint32_t>(value >> 31);
}

std::vector<int16_t> dendrolith::decodeI16(const std::string &bytes) {
  const PackedWeights packed(bytes);
  std::vector<int16_t> values(packed.size);
  for (size_t i = 0; i < values.size(); ++i) {
    if (packed.raw[i] > 0xffff)
      throw Error(fmt::format("expected numbers of 16 bits, found {} at {}",
                              packed.raw[i], i));
    values[i] = packed.weight(i);
  }
  return values;
}

std::string dendrolith::encodeI16(const std::vector<int16_t> &values) {
  std::vector<uint32_t> all(values.size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = zigzag(values[i]);
  return encodeU32(all);
}

PackedInAxons::PackedInAxons(const std::string &inAxons) {
  if (inAxons.empty())
    return;
  columns::TableReader reader(inAxons);
  size = reader.rows();
  base = reader.eachView();
  list = reader.columnView();
  port = reader.columnView();
  delay = reader.columnView();
  reader.end();
}

static uint16_t narrow(uint32_t value, const char *what, uint32_t row) {
  if (value > 0xffff)
    throw Error(fmt::format("expected a {} of 16 bits, found {} at {}", what,
                            value, row));
  return static_cast<uint16_t>(value);
}

std::vector<InAxon> dendrolith::decodeInAxons(const std::string &bytes) {
  PackedInAxons packed(bytes);
  std::vector<InAxon> rows(packed.size);
  for (uint32_t i = 0; i < rows.size(); ++i)
    rows[i] = {packed.list[i] + i, packed.base[i],
               narrow(packed.port[i], "port", i),
               narrow(packed.delay[i], "delay", i)};
  return rows;
}

std::string dendrolith::encodeInAxons(const std::vector<InAxon> &rows) {
  if (rows.empty())
    return "";
  const size_t size = rows.size();
  Column base(size), list(size), port(size), delay(size);
  for (uint32_t i = 0; i < size; ++i) {
    base[i] = rows[i].base;
    list[i] = rows[i].list - i;
    port[i] = rows[i].port;
    delay[i] = rows[i].delay;
  }
  columns::TableWriter writer(rows.size());
  writer.each(base);
  writer.column(list);
  writer.column(port);
  writer.column(delay);
  return std::move(writer).end();
}

namespace {

/// Where a list begins if it follows those before it.
struct Follow {
  uint32_t first = 0, offset = 0;
  void add(const SynapseList &list) {
    first = list.first + list.count;
    if (list.kind == ListKind::Sparse)
      offset = list.firstOffset + list.count;
  }
  uint32_t offsetOf(ListKind kind) const {
    return kind == ListKind::Sparse ? offset : 0;
  }
};

} // namespace

PackedLists::PackedLists(const std::string &lists) {
  if (lists.empty())
    return;
  columns::TableReader reader(lists);
  size = reader.rows();
  // Neither number is checked yet; a shape takes three of the table's numbers.
  shapes.resize(std::min<size_t>(
      {reader.number(), size, lists.size() / (3 * sizeof(uint32_t))}));
  for (SynapseList &shape : shapes) {
    shape.count = reader.number();
    shape.words = reader.number();
    uint32_t rest = reader.number();
    shape.kind = static_cast<ListKind>(rest & 0xff);
    shape.shift = static_cast<uint8_t>(rest >> 8);
    shape.weightBits = static_cast<uint8_t>(rest >> 16);
    shape.indexBits = static_cast<uint8_t>(rest >> 24);
  }
  code = reader.eachView();
  first = reader.columnView();
  offset = reader.columnView();
  reader.end();
}

bool dendrolith::PackedLists::inOrder() const {
  return first.isAll(0) && offset.isAll(0) &&
         std::none_of(shapes.begin(), shapes.end(),
                      [](const SynapseList &shape) {
                        return shape.kind == ListKind::Conv;
                      });
}

std::vector<SynapseList> dendrolith::decodeLists(const std::string &bytes) {
  PackedLists packed(bytes);
  std::vector<SynapseList> lists(packed.size);
  Follow follow;
  for (size_t i = 0; i < lists.size(); ++i) {
    uint32_t code = packed.code[i];
    if (code >= packed.shapes.size())
      throw Error(fmt::format("expected shapes below {}, found {}",
                              packed.shapes.size(), code));
    lists[i] = packed.shapes[code];
    lists[i].first = packed.first[i] + follow.first;
    lists[i].firstOffset = packed.offset[i] + follow.offsetOf(lists[i].kind);
    follow.add(lists[i]);
  }
  return lists;
}

/// Writes the shapes and the column of their codes.
static columns::TableWriter writeShapes(const ListShapes &shapes,
                                        const Column &code) {
  columns::TableWriter writer(code.size());
  writer.number(static_cast<uint32_t>(shapes.inOrder().size()));
  for (const ListShape &shape : shapes.inOrder()) {
    writer.number(shape.count);
    writer.number(shape.words);
    writer.number(shape.rest);
  }
  writer.each(code);
  return writer;
}

std::string dendrolith::encodeLists(const std::vector<SynapseList> &lists) {
  if (lists.empty())
    return "";
  ListShapes shapes;
  Column code, first, offset;
  for (Column *column : {&code, &first, &offset})
    column->reserve(lists.size());
  Follow follow;
  for (const SynapseList &list : lists) {
    code.push_back(shapes.codeOf(ListShape(list)));
    first.push_back(list.first - follow.first);
    offset.push_back(list.firstOffset - follow.offsetOf(list.kind));
    follow.add(list);
  }
  columns::TableWriter writer = writeShapes(shapes, code);
  writer.column(first);
  writer.column(offset);
  return std::move(writer).end();
}

/// Writes lists row by row.
static std::vector<SynapseList>
listsInOrder(const std::vector<SynapseList> &shapes,
             const std::vector<uint32_t> &codes) {
  std::vector<SynapseList> lists;
  lists.reserve(codes.size());
  uint32_t first = 0, offset = 0;
  for (uint32_t code : codes) {
    SynapseList &list = lists.emplace_back(shapes[code]);
    const bool indexed = list.kind != ListKind::Dense;
    list.first = first;
    list.firstOffset = indexed ? offset : 0;
    first += list.count;
    offset += indexed ? list.count : 0;
  }
  return lists;
}

std::string dendrolith::encodeLists(const std::vector<SynapseList> &shapes,
                                    const std::vector<uint32_t> &codes) {
  if (codes.empty())
    return "";
  // The image says of each convolution's list where its offsets are.
  if (std::any_of(shapes.begin(), shapes.end(), [](const SynapseList &shape) {
        return shape.kind == ListKind::Conv;
      }))
    return encodeLists(listsInOrder(shapes, codes));
  ListShapes met;
  constexpr uint32_t none = ~uint32_t(0);
  std::vector<uint32_t> number(shapes.size(), none);
  Column code(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) {
    uint32_t &known = number[codes[i]];
    if (known == none)
      known = met.codeOf(ListShape(shapes[codes[i]]));
    code[i] = known;
  }
  columns::TableWriter writer = writeShapes(met, code);
  writer.one(0);
  writer.one(0);
  return std::move(writer).end();
}

size_t dendrolith::countRows(const std::string &bytes) {
  return bytes.empty() ? 0 : columns::TableReader(bytes).rows();
}

PackedWeights::PackedWeights(const std::string &bytes)
    : PackedNumbers(std::string()) {
  if (bytes.empty())
    return;
  columns::TableReader reader(bytes);
  size = reader.rows();
  raw = reader.eachView();
  // A number of rows, what the column is, and the zeros at the end.
  constexpr size_t around = sizeof(uint32_t) + 1 + 3;
  if (bytes.size() > around + size * raw.bytes())
    delays = reader.columnView();
  reader.end();
}

std::vector<uint16_t> dendrolith::decodeDelays(const std::string &weights) {
  const PackedWeights packed(weights);
  if (!packed.hasDelays())
    return {};
  std::vector<uint16_t> delays(packed.size);
  for (size_t i = 0; i < delays.size(); ++i) {
    if (packed.delay(i) > 0xffff)
      throw Error(fmt::format("expected delays of 16 bits, found {} at {}",
                              packed.delay(i), i));
    delays[i] = static_cast<uint16_t>(packed.delay(i));
  }
  return delays;
}

std::string dendrolith::encodeWeights(const std::vector<int16_t> &weights,
                                      const std::vector<uint16_t> &delays) {
  std::string plain = encodeI16(weights);
  if (std::all_of(delays.begin(), delays.end(),
                  [](uint16_t delay) { return delay == 0; }))
    return plain;
  columns::TableWriter writer(weights.size());
  writer.each(decodeU32(plain));
  writer.column(Column(delays.begin(), delays.end()));
  return std::move(writer).end();
}
