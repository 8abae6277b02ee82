// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/Npy.h"

#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/NpyHeader.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

using namespace neurite;
using npy::ElementType;

//===----------------------------------------------------------------------===//
// Array
//===----------------------------------------------------------------------===//

Array Array::ofInts(std::vector<uint64_t> shape, std::vector<int64_t> values,
                    std::string dtype) {
  Array array;
  array.kind = Kind::Int;
  array.shape = std::move(shape);
  array.ints = std::move(values);
  array.dtype = std::move(dtype);
  return array;
}

Array Array::ofReals(std::vector<uint64_t> shape, std::vector<double> values,
                     std::string dtype) {
  Array array;
  array.shape = std::move(shape);
  array.real = std::move(values);
  array.dtype = std::move(dtype);
  return array;
}

uint64_t Array::size() const { return product(shape); }

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The `size` bytes at `at` as a number.
static uint64_t loadBits(const char *at, unsigned size, bool bigEndian) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < size; ++i) {
    unsigned shift = 8 * (bigEndian ? size - 1 - i : i);
    bits |= uint64_t(static_cast<unsigned char>(at[i])) << shift;
  }
  return bits;
}

/// IEEE 754 binary16, binary32 or binary64.
static double toReal(uint64_t bits, unsigned size) {
  if (size == 8) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (size == 4) {
    uint32_t narrow = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &narrow, sizeof value);
    return static_cast<double>(value);
  }
  int exponent = static_cast<int>(bits >> 10 & 0x1f);
  double fraction = static_cast<double>(bits & 0x3ff);
  double magnitude =
      exponent == 0     ? std::ldexp(fraction, -24)
      : exponent < 31   ? std::ldexp(fraction + 1024, exponent - 25)
      : fraction != 0.0 ? std::numeric_limits<double>::quiet_NaN()
                        : std::numeric_limits<double>::infinity();
  return bits >> 15 ? -magnitude : magnitude;
}

/// The two's complement number of `size` bytes.
static int64_t toSigned(uint64_t bits, unsigned size) {
  if (size < 8 && bits >> (8 * size - 1))
    bits |= ~uint64_t(0) << (8 * size);
  int64_t value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Rows of file order (first axis fastest) to C order (last axis fastest).
template <typename T>
static void transpose(std::vector<T> &values,
                      const std::vector<uint64_t> &shape, unsigned parts) {
  std::vector<T> result(values.size());
  std::vector<uint64_t> index(shape.size());
  for (uint64_t i = 0; i < values.size() / parts; ++i) {
    uint64_t to = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis)
      to = to * shape[axis] + index[axis];
    for (unsigned p = 0; p < parts; ++p)
      result[to * parts + p] = values[i * parts + p];
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (++index[axis] < shape[axis])
        break;
      index[axis] = 0;
    }
  }
  values = std::move(result);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The elements behind a header that `data` has been measured against.
static Array decode(const npy::Header &header, std::string_view data,
                    const std::string &where) {
  const ElementType &type = header.type;
  Array array;
  array.kind = type.kind();
  array.shape = header.shape;
  array.dtype = header.dtype;
  unsigned parts = array.kind == Array::Kind::Complex ? 2 : 1;
  unsigned size = type.bytes / parts;
  uint64_t count = header.elements * parts;
  bool transposed = header.fortranOrder && header.shape.size() > 1;
  if (!array.isInteger()) {
    array.real.resize(count);
    for (uint64_t i = 0; i < count; ++i)
      array.real[i] =
          toReal(loadBits(&data[i * size], size, type.bigEndian), size);
    if (transposed)
      transpose(array.real, array.shape, parts);
    return array;
  }
  array.ints.resize(count);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bits = loadBits(&data[i * size], size, type.bigEndian);
    if (array.kind == Array::Kind::Bool && bits > 1)
      throw Error(fmt::format("{}: expected 0 or 1 as element {} of type {}, "
                              "found {}",
                              where, i, header.dtype, bits));
    if (array.kind == Array::Kind::Uint && bits >> 63)
      throw Error(fmt::format("{}: expected at most 2^63 - 1 as element {}, "
                              "found {}",
                              where, i, bits));
    array.ints[i] = array.kind == Array::Kind::Int ? toSigned(bits, size)
                                                   : static_cast<int64_t>(bits);
  }
  if (transposed)
    transpose(array.ints, array.shape, parts);
  return array;
}

Array neurite::parseNpy(std::string_view bytes, const std::string &where) {
  npy::Header header = npy::parseHeader(bytes, where);
  npy::checkSize(header, bytes.size(), where);
  std::string_view data = bytes.substr(header.dataBegin);
  return withMemoryFor(where, [&] { return decode(header, data, where); });
}

Array neurite::loadNpy(const std::string &path) {
  return parseNpy(readFile(path, npy::kMaxFile), path);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static const char *widestType(Array::Kind kind) {
  switch (kind) {
  case Array::Kind::Bool:
    return "|b1";
  case Array::Kind::Int:
    return "<i8";
  case Array::Kind::Uint:
    return "<u8";
  case Array::Kind::Float:
    return "<f8";
  case Array::Kind::Complex:
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
  if (type.kind() <= Array::Kind::Uint) {
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

std::string neurite::formatNpy(const Array &array, const std::string &dtype) {
  std::string text = !dtype.empty()         ? dtype
                     : !array.dtype.empty() ? array.dtype
                                            : widestType(array.kind);
  ElementType type = npy::parseType(text, "cannot write the array");
  if (type.bigEndian || (type.type == 'f' && type.bytes == 2))
    throw Error(fmt::format("cannot write the array: type '{}' is only read; "
                            "choose another",
                            text));
  bool complex = array.kind == Array::Kind::Complex;
  if (complex != (type.type == 'c'))
    throw Error(fmt::format("cannot write the array: type '{}' does not hold "
                            "{} numbers",
                            text, complex ? "complex" : "real"));
  unsigned parts = complex ? 2 : 1;
  uint64_t count = array.isInteger() ? array.ints.size() : array.real.size();
  if (count != array.size() * parts)
    throw Error(fmt::format("cannot write the array: expected {} numbers for "
                            "shape {}, found {}",
                            array.size() * parts, shapeText(array.shape),
                            count));
  // One name per type: bytes have no order.
  text =
      fmt::format("{}{}{}", type.bytes == 1 ? '|' : '<', type.type, type.bytes);
  std::string bytes = npy::formatHeader(text, array.shape);
  unsigned size = type.bytes / parts;
  bytes.reserve(bytes.size() + count * size);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    try {
      bits = array.isInteger() && type.kind() <= Array::Kind::Uint
                 ? integerBits(array.ints[i], type)
                 : realBits(array.isInteger() ? array.value(i) : array.real[i],
                            type);
    } catch (const Error &error) {
      throw Error(fmt::format("cannot write the array: element {}: {}",
                              i / parts, error.what()));
    }
    for (unsigned b = 0; b < size; ++b)
      bytes.push_back(static_cast<char>(bits >> (8 * b) & 0xff));
  }
  return bytes;
}

void neurite::saveNpy(const std::string &path, const Array &array,
                      const std::string &dtype) {
  writeAside(path, formatNpy(array, dtype));
}
