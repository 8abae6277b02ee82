// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/ValueFile.h"

#include "runtime/arrays/FileBytes.h"
#include "runtime/arrays/LittleEndian.h"
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

} // namespace dendrolith
