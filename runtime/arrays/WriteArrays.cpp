// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/WriteArrays.h"
#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/NpyHeader.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

using namespace dendrolith;
using npy::ElementType;

static const char *widestType(Array::NumberKind kind) {
  switch (kind) {
  case Array::NumberKind::Bool:
    return "|b1";
  case Array::NumberKind::Int:
    return "<i8";
  case Array::NumberKind::Uint:
    return "<u8";
  case Array::NumberKind::Float:
    return "<f8";
  case Array::NumberKind::Complex:
    break;
  }
  return "<c16";
}

/// The bits of an integer; throws when the type cannot hold it.
static uint64_t integerBits(int64_t value, const ElementType &type) {
  unsigned bits = 8 * type.bytes;
  bool fits = type.type == 'b' ? value == 0 || value == 1
              : type.type == 'u'
                  ? value >= 0 && (bits == 64 || value >> bits == 0)
                  : bits == 64 || (value >= -(int64_t(1) << (bits - 1)) &&
                                   value < int64_t(1) << (bits - 1));
  if (!fits)
    throw Error(
        fmt::format("{} does not fit type {}{}", value, type.type, type.bytes));
  return static_cast<uint64_t>(value);
}

static uint64_t realBits(double value, const ElementType &type) {
  if (type.kind() <= Array::NumberKind::Uint) {
    if (!(std::fabs(value) < 0x1p63) || value != std::trunc(value))
      throw Error(fmt::format("{} is no integer of type {}{}", value, type.type,
                              type.bytes));
    return integerBits(static_cast<int64_t>(value), type);
  }
  uint64_t bits = 0;
  if (type.bytes == (type.type == 'c' ? 16u : 8u)) {
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
  // Out of range is undefined in C++, so it is looked for first.
  if (std::isfinite(value) &&
      std::fabs(value) > std::numeric_limits<float>::max())
    throw Error(
        fmt::format("{} does not fit type {}{}", value, type.type, type.bytes));
  float narrow = static_cast<float>(value);
  uint32_t narrowBits;
  std::memcpy(&narrowBits, &narrow, sizeof narrow);
  return narrowBits;
}

namespace {
/// How an array lies in a file.
struct Layout {
  ElementType type;
  std::string header;
  unsigned parts;     // of an element
  uint64_t count = 0; // of numbers
  bool ints;          // they are in the array's `ints`

  unsigned size() const { return type.bytes / parts; }
};
} // namespace

static Layout layoutOf(const ArrayView &array, const std::string &dtype) {
  std::string text = !dtype.empty()         ? dtype
                     : !array.dtype.empty() ? array.dtype
                                            : widestType(array.kind);
  Layout layout;
  const ElementType &type = layout.type =
      npy::parseType(text, "cannot write the array");
  if (type.bigEndian || (type.type == 'f' && type.bytes == 2))
    throw Error(fmt::format("cannot write the array: type '{}' is only read; "
                            "choose another",
                            text));
  bool complex = array.kind == Array::NumberKind::Complex;
  if (complex != (type.type == 'c'))
    throw Error(fmt::format("cannot write the array: type '{}' does not hold "
                            "{} numbers",
                            text, complex ? "complex" : "real"));
  layout.parts = complex ? 2 : 1;
  layout.ints = array.kind <= Array::NumberKind::Uint;
  layout.count = layout.ints  ? array.ints->size()
                 : array.file ? array.file->size()
                              : array.real->size();
  const uint64_t expected = product(array.shape) * layout.parts;
  if (layout.count != expected)
    throw Error(fmt::format("cannot write the array: expected {} numbers for "
                            "shape {}, found {}",
                            expected, shapeText(array.shape), layout.count));
  // One name per type: bytes have no order.
  layout.header = npy::formatHeader(
      fmt::format("{}{}{}", type.bytes == 1 ? '|' : '<', type.type, type.bytes),
      array.shape);
  return layout;
}

/// Whether numbers lie in memory as in the file.
static bool liesAsInFile(const Layout &layout) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return layout.size() == 8 &&
         (layout.ints ? layout.type.type == 'i'
                      : layout.type.kind() >= Array::NumberKind::Float);
#else
  return false;
#endif
}

void dendrolith::writeNpy(const ArrayView &array, const ByteSink &sink,
                          const std::string &dtype) {
  const Layout layout = layoutOf(array, dtype);
  const ElementType &type = layout.type;
  sink(layout.header);
  if (liesAsInFile(layout) && !array.file) {
    const void *numbers = layout.ints
                              ? static_cast<const void *>(array.ints->data())
                              : array.real->data();
    sink({static_cast<const char *>(numbers), layout.count * layout.size()});
    return;
  }
  constexpr uint64_t piece = 1 << 13;
  std::vector<double> read;
  auto bitsOf = [&](uint64_t i) {
    if (array.file)
      return realBits(read[i % piece], type);
    if (!layout.ints)
      return realBits((*array.real)[i], type);
    const int64_t value = (*array.ints)[i];
    return type.kind() <= Array::NumberKind::Uint
               ? integerBits(value, type)
               : realBits(static_cast<double>(value), type);
  };
  const bool packs = type.type == 'i' && type.bytes == 4;
  std::string bytes;
  for (uint64_t at = 0; at < layout.count; at += piece) {
    const uint64_t end = std::min(at + piece, layout.count);
    if (array.file) {
      read.resize(end - at);
      array.file->get(at, read.data(), read.size());
    }
    if (packs) {
      bytes.resize(4 * (end - at));
      const double *reals = array.file     ? read.data()
                            : !layout.ints ? array.real->data() + at
                                           : nullptr;
      if (end - at == (reals ? packInt32(reals, end - at, bytes.data())
                             : packInt32(array.ints->data() + at, end - at,
                                         bytes.data()))) {
        sink(bytes);
        continue;
      } // Or else what follows names the element.
    }
    bytes.clear();
    for (uint64_t i = at; i < end; ++i) {
      try {
        const uint64_t bits = bitsOf(i);
        for (unsigned b = 0; b < layout.size(); ++b)
          bytes.push_back(static_cast<char>(bits >> (8 * b) & 0xff));
      } catch (const Error &error) {
        throw Error(fmt::format("cannot write the array: element {}: {}",
                                i / layout.parts, error.what()));
      }
    }
    sink(bytes);
  }
}

uint64_t dendrolith::bytesOfNpy(const ArrayView &array) {
  const Layout layout = layoutOf(array, "");
  return layout.header.size() + layout.count * layout.size();
}

std::string dendrolith::formatNpy(const Array &array,
                                  const std::string &dtype) {
  return bytesOf([&](const ByteSink &sink) { writeNpy(array, sink, dtype); });
}

void dendrolith::saveNpy(const std::string &path, const Array &array,
                         const std::string &dtype) {
  AtomicFile file(path);
  writeNpy(array, [&](std::string_view bytes) { file.write(bytes); }, dtype);
  file.commit();
}
