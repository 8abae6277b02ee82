// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/Npy.h"

#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/NpyHeader.h"
#include "targets/support/Error.h"
#include "targets/support/InputFile.h"
#include "targets/support/Text.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>

using namespace dendrolith;
using npy::ElementType;

//===----------------------------------------------------------------------===//
// Array
//===----------------------------------------------------------------------===//

Array Array::ofInts(std::vector<uint64_t> shape, std::vector<int64_t> values,
                    std::string dtype) {
  Array array;
  array.kind = NumberKind::Int;
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
  unsigned parts = array.kind == Array::NumberKind::Complex ? 2 : 1;
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
    if (array.kind == Array::NumberKind::Bool && bits > 1)
      throw Error(fmt::format("{}: expected 0 or 1 as element {} of type {}, "
                              "found {}",
                              where, i, header.dtype, bits));
    if (array.kind == Array::NumberKind::Uint && bits >> 63)
      throw Error(fmt::format("{}: expected at most 2^63 - 1 as element {}, "
                              "found {}",
                              where, i, bits));
    array.ints[i] = array.kind == Array::NumberKind::Int
                        ? toSigned(bits, size)
                        : static_cast<int64_t>(bits);
  }
  if (transposed)
    transpose(array.ints, array.shape, parts);
  return array;
}

Array dendrolith::parseNpy(std::string_view bytes, const std::string &where) {
  npy::Header header = npy::parseHeader(bytes, where);
  npy::checkSize(header, bytes.size(), where);
  std::string_view data = bytes.substr(header.dataBegin);
  return withMemoryFor(where, [&] { return decode(header, data, where); });
}

Array dendrolith::loadNpy(const std::string &path) {
  return parseNpy(readFile(path, npy::kMaxFile), path);
}
