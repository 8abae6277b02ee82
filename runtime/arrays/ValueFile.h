// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a run that lie in a file instead of memory, because a long
// sequence has more of them than a machine should hold. They are written and
// read piece by piece, each where it belongs.

#ifndef DENDROLITH_RUNTIME_ARRAYS_VALUEFILE_H
#define DENDROLITH_RUNTIME_ARRAYS_VALUEFILE_H

#include "runtime/arrays/PieceChecksum.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace dendrolith {

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

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_VALUEFILE_H
