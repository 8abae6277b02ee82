// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a run that lie in a file instead of memory, because a long
// sequence has more of them than a machine should hold. They are written and
// read piece by piece, each where it belongs.

#ifndef DENDROLITH_RUNTIME_ARRAYS_VALUEFILE_H
#define DENDROLITH_RUNTIME_ARRAYS_VALUEFILE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace dendrolith {

// The checksum of an archive's member (CRC-32, PKWARE APPNOTE.TXT 4.4.7) whose
// bytes come in pieces and in any order. Each piece is looked at while the
// processor still has it in its cache, so that nobody has to read the file for
// that.
//
// The plain twin is zip::addToChecksum() over all bytes in order;
// PieceChecksumTest holds both equal. tests/bench/traces.py shows the gain.

class PieceChecksum {
public:
  /// These bytes lie from byte `at` on; also from several threads at a time.
  /// Throws std::logic_error where some of them were added before.
  void add(uint64_t at, std::string_view bytes);

  /// The checksum of the first `size` bytes, among which are all that were
  /// added; all others are 0.
  uint32_t of(uint64_t size) const;

private:
  struct Piece {
    uint64_t size = 0;
    uint32_t crc = 0;
  };

  mutable std::mutex mutex;
  std::map<uint64_t, Piece> pieces; // by first byte; none begins where one ends
};

class ValueFile {
public:
  /// How a number lies in the file: as "<i4", "<i8" or "<f8" of NumPy.
  enum class ValueType { Int32, Int64, Real };
  static constexpr size_t bytesOf(ValueType form) {
    return form == ValueType::Int32 ? 4 : 8;
  }

  /// A file that several of these may share; the last one closes it.
  using Descriptor = std::shared_ptr<const int>;
  static Descriptor own(int descriptor);

  /// The `descriptor` reads and writes; `size` numbers begin behind the first
  /// `begin` bytes, and with the last of them the file ends for now. `name`
  /// stands in errors.
  ValueFile(Descriptor descriptor, std::string name, ValueType form,
            uint64_t begin, uint64_t size);
  /// The same, of a file that is its own.
  ValueFile(int descriptor, std::string name, ValueType form, uint64_t begin,
            uint64_t size)
      : ValueFile(own(descriptor), std::move(name), form, begin, size) {}
  /// Numbers in a file without a name in `folder`, which goes with this object.
  ValueFile(const std::string &folder, uint64_t size);
  ValueFile(const ValueFile &) = delete;
  ValueFile &operator=(const ValueFile &) = delete;

  /// Keeps the checksum of what is put from now on, each number once and all
  /// of them in this process.
  void keepChecksum() { kept = std::make_unique<PieceChecksum>(); }
  /// The checksum of all numbers' bytes, where it was kept.
  std::optional<uint32_t> checksum() const {
    if (!kept)
      return std::nullopt;
    return kept->of(numbers * bytesOfOne());
  }

  /// How many numbers it holds; those never written are 0.
  uint64_t size() const { return numbers; }

  /// Writes or reads `count` numbers from number `first` on, also from several
  /// threads at a time. Throws Error: the disk is full, or a number is no
  /// integer of 32 bits where the form is Int32. Doubles are no Int64, integers
  /// are not Real, and those of 32 bits are Int32.
  void put(uint64_t first, const double *values, size_t count);
  void get(uint64_t first, double *values, size_t count) const;
  void put(uint64_t first, const int64_t *values, size_t count);
  void get(uint64_t first, int64_t *values, size_t count) const;
  void put(uint64_t first, const int32_t *values, size_t count);

private:
  size_t bytesOfOne() const { return bytesOf(form); }
  template <typename Number>
  void putInt32(uint64_t first, const Number *values, size_t count);
  void write(uint64_t first, std::string_view bytes);
  std::string read(uint64_t first, size_t count) const;

  const Descriptor descriptor;
  const std::string name;
  const ValueType form;
  const uint64_t begin, numbers;
  std::unique_ptr<PieceChecksum> kept;
};

// Bytes at a place of an open file, from several threads at a time.

/// Writes or reads all of them from byte `at` on. Throw Error, which begins
/// with `name`, where the system does not (a full disk), or the file ends
/// before.
void writeAt(int descriptor, const std::string &name, uint64_t at,
             std::string_view bytes);
void readAt(int descriptor, const std::string &name, uint64_t at, char *to,
            size_t count);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_VALUEFILE_H
