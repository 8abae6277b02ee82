// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/ValueFile.h"

#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/Zip.h"
#include "targets/support/Error.h"
#include "targets/support/InputFile.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <unistd.h>

namespace dendrolith {
namespace {

/// A file that nobody else can open, as its name is gone at once.
int openNameless(const std::string &folder) {
  std::string name = folder + "/.dendrolith-values.XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0)
    failWithErrno(folder,
                  "cannot write outputs that are too long for memory here");
  ::unlink(name.c_str());
  return descriptor;
}

template <typename T> void store(char *bytes, T value) {
  for (size_t b = 0; b < sizeof(T); ++b)
    bytes[b] = static_cast<char>(value >> (8 * b) & 0xff);
}

/// Numbers of 64 bits as the file has them: where the machine has them in the
/// same order, as they are, without a copy.
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
template <typename T>
std::string_view fileBytes(const T *values, size_t count) {
  return {reinterpret_cast<const char *>(values), count * sizeof(T)};
}
#else
template <typename T> std::string fileBytes(const T *values, size_t count) {
  std::string bytes(count * sizeof(T), '\0');
  for (size_t i = 0; i < count; ++i) {
    std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t> bits;
    static_assert(sizeof bits == sizeof(T));
    std::memcpy(&bits, &values[i], sizeof bits);
    store(&bytes[i * sizeof bits], bits);
  }
  return bytes;
}
#endif

} // namespace

ValueFile::Descriptor ValueFile::own(int descriptor) {
  return Descriptor(new int(descriptor), [](const int *owned) {
    ::close(*owned);
    delete owned;
  });
}

ValueFile::ValueFile(Descriptor given, std::string name, ValueType form,
                     uint64_t begin, uint64_t size)
    : descriptor(std::move(given)), name(std::move(name)), form(form),
      begin(begin), numbers(size) {
  // The end is there from the beginning, and what lies before it reads 0.
  if (::ftruncate(*descriptor, static_cast<off_t>(begin + size * bytesOfOne())))
    failWithErrno(this->name, "cannot write");
}

ValueFile::ValueFile(const std::string &folder, uint64_t size)
    : ValueFile(openNameless(folder), folder, ValueType::Real, 0, size) {}

/// In pieces that a processor's second cache holds.
template <typename Number>
void ValueFile::putInt32(uint64_t first, const Number *values, size_t count) {
  constexpr size_t most = 1 << 15;
  std::array<char, 4 * most> bytes;
  for (size_t i = 0; i < count; i += most) {
    const size_t size = std::min(count - i, most);
    const size_t good = packInt32(values + i, size, bytes.data());
    if (good < size)
      throw Error(fmt::format("{}: element {}: {} is no integer of type i4",
                              name, first + i + good, values[i + good]));
    write(first + i, {bytes.data(), 4 * size});
  }
}

void ValueFile::put(uint64_t first, const double *values, size_t count) {
  assert(form != ValueType::Int64);
  if (form == ValueType::Real)
    write(first, fileBytes(values, count));
  else
    putInt32(first, values, count);
}

void ValueFile::put(uint64_t first, const int64_t *values, size_t count) {
  assert(form != ValueType::Real);
  if (form == ValueType::Int64)
    write(first, fileBytes(values, count));
  else
    putInt32(first, values, count);
}

void ValueFile::put(uint64_t first, const int32_t *values, size_t count) {
  assert(form == ValueType::Int32);
  write(first, fileBytes(values, count));
}

void ValueFile::write(uint64_t first, std::string_view bytes) {
  if (kept)
    kept->add(first * bytesOfOne(), bytes);
  writeAt(*descriptor, name, begin + first * bytesOfOne(), bytes);
}

std::string ValueFile::read(uint64_t first, size_t count) const {
  std::string bytes(count * bytesOfOne(), '\0');
  readAt(*descriptor, name, begin + first * bytesOfOne(), bytes.data(),
         bytes.size());
  return bytes;
}

void ValueFile::get(uint64_t first, int64_t *values, size_t count) const {
  const std::string bytes = read(first, count);
  for (size_t i = 0; i < count; ++i)
    values[i] = form == ValueType::Int64
                    ? static_cast<int64_t>(loadLittle<uint64_t>(&bytes[i * 8]))
                    : static_cast<int32_t>(loadLittle<uint32_t>(&bytes[i * 4]));
}

void ValueFile::get(uint64_t first, double *values, size_t count) const {
  const std::string bytes = read(first, count);
  for (size_t i = 0; i < count; ++i) {
    if (form == ValueType::Real) {
      const uint64_t bits = loadLittle<uint64_t>(&bytes[i * sizeof bits]);
      std::memcpy(&values[i], &bits, sizeof bits);
    } else {
      values[i] = static_cast<int32_t>(loadLittle<uint32_t>(&bytes[i * 4]));
    }
  }
}

void writeAt(int descriptor, const std::string &name, uint64_t at,
             std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::pwrite(descriptor, bytes.data(), bytes.size(),
                                   static_cast<off_t>(at));
    if (wrote < 0 && errno != EINTR)
      throw Error(
          fmt::format("{}: cannot write: {}", name, std::strerror(errno)));
    const size_t done = wrote > 0 ? size_t(wrote) : 0;
    bytes.remove_prefix(done);
    at += done;
  }
}

void readAt(int descriptor, const std::string &name, uint64_t at, char *to,
            size_t count) {
  for (size_t done = 0; done < count;) {
    errno = 0;
    const ssize_t found = ::pread(descriptor, to + done, count - done,
                                  static_cast<off_t>(at + done));
    if (found == 0 || (found < 0 && errno != EINTR))
      throw Error(
          fmt::format("{}: cannot read: {}", name,
                      errno ? std::strerror(errno) : "it became shorter"));
    done += found > 0 ? size_t(found) : 0;
  }
}

namespace {

/// The checksum of `size` zeros, computed from that of half as many.
uint32_t ofZeros(uint64_t size) {
  if (size == 0)
    return 0;
  const uint32_t half = ofZeros(size / 2);
  const uint32_t even = zip::joinChecksums(half, half, size / 2);
  return size % 2 ? zip::addToChecksum(even, std::string_view("\0", 1)) : even;
}

} // namespace

void PieceChecksum::add(uint64_t at, std::string_view bytes) {
  if (bytes.empty())
    return;
  Piece piece{bytes.size(), zip::addToChecksum(0, bytes)};
  std::lock_guard<std::mutex> lock(mutex);
  auto next = pieces.lower_bound(at);
  if (next != pieces.end() && next->first < at + piece.size)
    throw std::logic_error("bytes of a checksum came twice");
  if (next != pieces.end() && next->first == at + piece.size) {
    piece = {
        piece.size + next->second.size,
        zip::joinChecksums(piece.crc, next->second.crc, next->second.size)};
    next = pieces.erase(next);
  }
  if (next != pieces.begin()) {
    auto &[begin, before] = *std::prev(next);
    if (begin + before.size > at)
      throw std::logic_error("bytes of a checksum came twice");
    if (begin + before.size == at) {
      before = {before.size + piece.size,
                zip::joinChecksums(before.crc, piece.crc, piece.size)};
      return;
    }
  }
  pieces.emplace_hint(next, at, piece);
}

uint32_t PieceChecksum::of(uint64_t size) const {
  std::lock_guard<std::mutex> lock(mutex);
  uint32_t crc = 0;
  uint64_t end = 0;
  for (const auto &[begin, piece] : pieces) {
    crc = zip::joinChecksums(crc, ofZeros(begin - end), begin - end);
    crc = zip::joinChecksums(crc, piece.crc, piece.size);
    end = begin + piece.size;
  }
  return zip::joinChecksums(crc, ofZeros(size - end), size - end);
}

} // namespace dendrolith
