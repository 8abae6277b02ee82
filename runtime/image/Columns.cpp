// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/Columns.h"

#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>

namespace dendrolith::columns {

TableWriter::TableWriter(size_t rows) { number(static_cast<uint32_t>(rows)); }

void TableWriter::number(uint32_t value) { appendLittle(bytes, value); }

void TableWriter::column(const Column &values) {
  bool equal =
      std::adjacent_find(values.begin(), values.end(),
                         std::not_equal_to<uint32_t>()) == values.end();
  if (!equal)
    return each(values);
  one(values.empty() ? 0 : values.front());
}

void TableWriter::one(uint32_t value) {
  bytes.push_back(0);
  number(value);
}

template <typename T>
static void appendAll(std::string &bytes, const Column &values) {
  const size_t at = bytes.size();
  bytes.resize(at + values.size() * sizeof(T));
  char *out = bytes.data() + at; // found once, not for each number
  for (uint32_t value : values)
    for (size_t b = 0; b < sizeof(T); ++b)
      *out++ = static_cast<char>(value >> (8 * b));
}

void TableWriter::each(const Column &values) {
  uint32_t all = 0;
  for (uint32_t value : values)
    all |= value;
  unsigned width = all < 256 ? 1 : all < 65536 ? 2 : 4;
  bytes.push_back(static_cast<char>(width));
  if (width == 1)
    appendAll<uint8_t>(bytes, values);
  else if (width == 2)
    appendAll<uint16_t>(bytes, values);
  else
    appendAll<uint32_t>(bytes, values);
}

static constexpr size_t kEnd = 3; // bytes

std::string TableWriter::end() && {
  bytes.append(kEnd, '\0');
  return std::move(bytes);
}

uint32_t View::largest(size_t rows) const {
  if (rows == 0 || first == nullptr)
    return 0;
  uint32_t most = 0;
  if (width == 1) {
    // The usual column has one byte a row: take sixteen at a time.
    unsigned char byte = 0;
    for (size_t i = 0; i < rows; ++i)
      byte = std::max(byte, static_cast<unsigned char>(first[i]));
    most = byte;
  } else {
    for (size_t i = 0; i < rows; ++i)
      most = std::max(most, (*this)[i]);
  }
  return most;
}

TableReader::TableReader(std::string_view bytes) : bytes(bytes) {
  numRows = number();
}

std::string_view TableReader::take(size_t size) {
  if (size > bytes.size() - at)
    throw Error(fmt::format("expected a whole table, found one of {} bytes "
                            "that ends too early",
                            bytes.size()));
  at += size;
  return bytes.substr(at - size, size);
}

uint32_t TableReader::number() { return loadLittle<uint32_t>(take(4).data()); }

View TableReader::eachView() {
  auto width = static_cast<unsigned char>(take(1).front());
  if (width != 1 && width != 2 && width != 4)
    throw Error(
        fmt::format("expected columns of 1, 2 or 4 bytes, found {}", width));
  return View(take(numRows * width).data(), width);
}

View TableReader::columnView() {
  if (at < bytes.size() && bytes[at] == 0) {
    take(1);
    return View(take(4).data(), 0);
  }
  return eachView();
}

void TableReader::end() const {
  if (at + kEnd != bytes.size())
    throw Error(fmt::format("expected a table of {} rows to end after {} "
                            "bytes, found {}",
                            numRows, at + kEnd, bytes.size()));
}

} // namespace dendrolith::columns
