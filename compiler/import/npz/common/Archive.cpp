// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/common/Archive.h"

#include "runtime/arrays/ToSamples.h"
#include "runtime/arrays/Zip.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include "llvm/Support/ConvertUTF.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace dendrolith::npz {

Archive::Archive(const std::string &path)
    : path(path), bytes(readFile(path, zip::kMaxUnpacked)) {
  for (const zip::Member &member : zip::readDirectory(bytes, path)) {
    std::string name = member.name;
    if (name.size() > 4 && name.compare(name.size() - 4, 4, ".npy") == 0)
      keys.insert(name.substr(0, name.size() - 4));
  }
}

std::string Archive::where(const std::string &key) const {
  return fmt::format("{}: '{}'", path, key);
}

void Archive::describe(const std::string &network, const std::string &folder) {
  help = fmt::format("; {}/README.md lists the keys of a checkpoint of {}",
                     folder, network);
}

void Archive::require(const std::string &key) {
  if (!has(key))
    throw Error(fmt::format("{}: expected a member '{}', found none{}", path,
                            key, help));
  used.insert(key);
}

const Array &Archive::read(const std::string &key) {
  require(key);
  if (!arrays.count(key)) {
    arrays.merge(parseNpz(bytes, path, {key}));
    elements += arrays.at(key).size();
    if (elements > kMaxArrayElements)
      throw Error(fmt::format("{}expected at most {} numbers in the whole "
                              "archive, found more",
                              place(key), kMaxArrayElements));
  }
  const Array &array = arrays.at(key);
  if (array.kind == Array::NumberKind::Complex)
    throw Error(place(key) + "expected real numbers, found complex ones");
  for (uint64_t i = 0; i < array.size(); ++i)
    if (!std::isfinite(array.value(i)))
      throw Error(fmt::format("{}expected finite numbers, found {} at {}",
                              place(key), array.value(i), i));
  return array;
}

const Array &Archive::array(const std::string &key, size_t rank) {
  const Array &array = read(key);
  if (array.shape.size() != rank || array.size() == 0)
    throw Error(fmt::format("{}expected {} axes, none empty, found shape {}",
                            place(key), rank, shapeText(array.shape)));
  return array;
}

Values flat(const Array &array) {
  Values values(array.size());
  for (uint64_t i = 0; i < array.size(); ++i)
    values[i] = array.value(i);
  return values;
}

Values Archive::shaped(const std::string &key, const Shape &shape,
                       const std::string &why) {
  const Array &array = read(key);
  if (array.shape != shape)
    throw Error(fmt::format("{}expected shape {} ({}), found {}", place(key),
                            shapeText(shape), why, shapeText(array.shape)));
  return flat(array);
}

Values Archive::reals(const std::string &key, const Shape &shape,
                      const std::string &why) {
  // What other arrays say may be of any size.
  constexpr uint64_t kMostReplaced = uint64_t(1) << 24;
  Values values;
  if (faults.attempt([&] { values = shaped(key, shape, why); }))
    return values;
  replaced.insert(key);
  if (product(shape) > kMostReplaced)
    faults.raise();
  return Values(product(shape), 0.0);
}

void Archive::readAll(const std::function<void()> &work) {
  Collector last;
  last.attempt(work);
  for (const std::string &message : last.all()) {
    const bool isOfZeros = std::any_of(
        replaced.begin(), replaced.end(), [&](const std::string &key) {
          return message.rfind(where(key), 0) == 0;
        });
    if (!isOfZeros)
      faults.keep(message);
  }
  faults.raise();
}

double Archive::real(const std::string &key) {
  return shaped(key, {}, "one number")[0];
}

int64_t Archive::integer(const std::string &key) {
  double value = real(key);
  if (value != std::floor(value) || std::fabs(value) > 1e9)
    throw Error(
        fmt::format("{}expected an integer, found {}", place(key), value));
  return static_cast<int64_t>(value);
}

Samples Archive::samples(const std::string &key, int64_t inputs) {
  return toSamples(array(key, 3), {uint64_t(inputs)}, where(key));
}

std::string Archive::text(const std::string &key) {
  require(key);
  std::string content;
  for (const zip::Member &member : zip::readDirectory(bytes, path))
    if (member.name == key + ".npy")
      content = zip::unpack(bytes, member, path);
  // The header of one string of n code points: {'descr': '<Un', ... 'shape':
  // (), }. 10 bytes precede it in format 1.0, 12 in later ones.
  auto byte = [&](size_t i) {
    return i < content.size() ? static_cast<unsigned char>(content[i]) : 0u;
  };
  bool early = byte(6) == 1;
  size_t begin = early ? 10 : 12, length = byte(8) + 256 * byte(9);
  if (!early)
    length += 65536 * (byte(10) + 256 * size_t(byte(11)));
  std::string header = content.substr(std::min(begin, content.size()),
                                      std::min<size_t>(length, 4096));
  const std::string type = "'descr': '<U", shape = "'shape': ()";
  uint32_t count = 0;
  if (size_t at = header.find(type);
      content.compare(0, 6, "\x93NUMPY") == 0 && at != header.npos &&
      header.find(shape, at) < header.find('}', at))
    std::from_chars(&header[at + type.size()], header.data() + header.size(),
                    count);
  if (count == 0 || content.size() != begin + length + 4 * uint64_t(count))
    throw Error(place(key) + "expected one text (NumPy type '<U', shape ())");
  std::string utf8;
  for (size_t i = begin + length; i < content.size(); i += 4) {
    uint32_t code = byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 |
                    uint32_t(byte(i + 3)) << 24;
    char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = buffer;
    if (!llvm::ConvertCodePointToUTF8(code, end))
      throw Error(fmt::format("{}expected a text, found the character {:#x}",
                              place(key), code));
    if (code != 0) // padding
      utf8.append(buffer, end);
  }
  return utf8;
}

std::vector<std::string> Archive::unused() const {
  std::vector<std::string> rest;
  for (const std::string &key : keys)
    if (!used.count(key))
      rest.push_back(key);
  return rest;
}

} // namespace dendrolith::npz
