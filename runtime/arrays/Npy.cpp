// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/Npy.h"

#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/WriteArrays.h"
#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/InputFile.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <set>

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

static constexpr std::string_view kSuffix = ".npy";

static std::string memberPlace(const std::string &where,
                               const std::string &name) {
  return fmt::format("{}, member '{}'", where, printable(name));
}

namespace {
struct ArchiveEntry {
  std::string name, place;
  zip::Member member;
};
} // namespace

/// The directory with names checked and without their suffix.
static std::vector<ArchiveEntry> readEntries(const zip::Bytes &bytes,
                                             const std::string &where) {
  std::vector<ArchiveEntry> entries;
  std::set<std::string> names;
  for (zip::Member &member : zip::readDirectory(bytes, where)) {
    std::string name = member.name;
    std::string place = memberPlace(where, name);
    if (name.size() <= kSuffix.size() || name.find('\0') != name.npos ||
        name.compare(name.size() - kSuffix.size(), name.npos, kSuffix) != 0)
      throw Error(place + ": expected members named NAME.npy");
    name.resize(name.size() - kSuffix.size());
    if (!names.insert(name).second)
      throw Error(place + ": appears twice");
    entries.push_back({name, std::move(place), std::move(member)});
  }
  return entries;
}

static npy::Header headOf(const zip::Bytes &bytes, const ArchiveEntry &entry) {
  npy::Header header = npy::parseHeader(
      zip::unpackHead(bytes, entry.member, entry.place, npy::kMaxHead),
      entry.place);
  npy::checkSize(header, entry.member.size, entry.place);
  return header;
}

/// The header is judged first: a member may unpack to a thousand times its
/// size.
static Array readMember(const zip::Bytes &bytes, const ArchiveEntry &entry) {
  headOf(bytes, entry);
  return parseNpy(zip::unpack(bytes, entry.member, entry.place), entry.place);
}

/// Only what is asked for of a file is read.
template <typename Work>
static auto withFile(const std::string &path, Work work) {
  InputFile file(path, zip::kMaxUnpacked);
  return work(zip::Bytes(file));
}

static std::map<std::string, Array>
readNpz(const zip::Bytes &bytes, const std::string &where,
        const std::vector<std::string> &names) {
  std::map<std::string, Array> arrays;
  uint64_t elements = 0; // one byte of a file can be eight once decoded
  std::string known;
  for (const ArchiveEntry &entry : readEntries(bytes, where)) {
    if (known.size() < 256)
      known += (known.empty() ? "" : ", ") + printable(entry.name);
    if (names.empty() ||
        std::find(names.begin(), names.end(), entry.name) != names.end())
      elements += (arrays[entry.name] = readMember(bytes, entry)).size();
    if (elements > kMaxArrayElements)
      throw Error(fmt::format("{}: expected at most {} elements in the whole "
                              "archive, found more",
                              entry.place, kMaxArrayElements));
  }
  for (const std::string &name : names)
    if (!arrays.count(name))
      throw Error(fmt::format("{}: expected a member '{}', found {}", where,
                              name, known.empty() ? "none" : known));
  return arrays;
}

std::map<std::string, Array>
dendrolith::parseNpz(std::string_view bytes, const std::string &where,
                     const std::vector<std::string> &names) {
  return readNpz(bytes, where, names);
}

std::map<std::string, Array>
dendrolith::loadNpz(const std::string &path,
                    const std::vector<std::string> &names) {
  return withFile(path, [&](const zip::Bytes &bytes) {
    return readNpz(bytes, path, names);
  });
}

std::vector<std::string> dendrolith::listNpz(const std::string &path) {
  std::vector<std::string> names;
  withFile(path, [&](const zip::Bytes &bytes) {
    for (ArchiveEntry &entry : readEntries(bytes, path))
      names.push_back(std::move(entry.name));
  });
  return names;
}

std::map<std::string, ArrayHead>
dendrolith::headsOfNpz(const std::string &path) {
  std::map<std::string, ArrayHead> heads;
  withFile(path, [&](const zip::Bytes &bytes) {
    for (const ArchiveEntry &entry : readEntries(bytes, path)) {
      const npy::Header header = headOf(bytes, entry);
      heads[entry.name] = {header.type.kind(), header.shape};
    }
  });
  return heads;
}

/// Archives are unpacked as files, and some programs follow any path.
static bool leavesFolder(const std::string &name) {
  return name[0] == '/' || name.find('\\') != name.npos ||
         ("/" + name + "/").find("/../") != std::string::npos;
}

std::string dendrolith::npzMember(const std::string &name) {
  if (name.empty() || name.find('\0') != name.npos || leavesFolder(name))
    throw Error(fmt::format("cannot write the archive: expected a name that "
                            "can be a file's for each array, found '{}'; "
                            "rename it in the model",
                            printable(name)));
  return name + std::string(kSuffix);
}

void dendrolith::writeNpz(const std::map<std::string, ArrayView> &arrays,
                          const ByteSink &sink) {
  std::vector<zip::Packed> members;
  for (const auto &item : arrays) {
    const ArrayView &array = item.second;
    members.push_back(
        {npzMember(item.first), bytesOfNpy(array),
         [&array](const ByteSink &bytes) { writeNpy(array, bytes); }});
  }
  zip::pack(members, sink);
}

/// Views of all arrays, which outlive them.
static std::map<std::string, ArrayView>
viewsOf(const std::map<std::string, Array> &arrays) {
  return {arrays.begin(), arrays.end()};
}

std::string dendrolith::formatNpz(const std::map<std::string, Array> &arrays) {
  return bytesOf(
      [&](const ByteSink &sink) { writeNpz(viewsOf(arrays), sink); });
}

void dendrolith::saveNpz(const std::string &path,
                         const std::map<std::string, Array> &arrays) {
  AtomicFile file(path);
  writeNpz(viewsOf(arrays), [&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}
