// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns of numbers in as few bytes as they need. A packed table begins with
// its number of rows (uint32). Columns follow in a fixed order. Each is one
// byte that says what its values are (0: one uint32 for all rows; 1, 2 or 4: so
// many bytes for each row) and the values. The table ends with three zero
// bytes. At least one column of a table is of the second kind, so a table has
// no more rows than bytes.

#ifndef DENDROLITH_RUNTIME_IMAGE_COLUMNS_H
#define DENDROLITH_RUNTIME_IMAGE_COLUMNS_H

#include "runtime/arrays/LittleEndian.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dendrolith::columns {

using Column = std::vector<uint32_t>;

/// A column, read where it lies. A number is read as four bytes, of which some
/// are masked: a table ends with three bytes more, so that there are always
/// four.
class View {
public:
  View() = default;
  View(const char *first, uint32_t width)
      : first(first), width(width),
        mask(width == 0 || width == 4 ? ~uint32_t(0)
                                      : (uint32_t(1) << (8 * width)) - 1) {}
  uint32_t operator[](size_t row) const {
    return loadLittle<uint32_t>(first + row * width) & mask;
  }
  /// The largest number of the first `rows` rows; 0 for none.
  uint32_t largest(size_t rows) const;
  /// The first row, and how many bytes each takes: 0 where all rows share a
  /// number.
  const char *data() const { return first; }
  uint32_t bytes() const { return width; }
  /// Whether all rows share one number.
  bool isOne() const { return width == 0; }
  /// Whether all rows have that value and take no bytes.
  bool isAll(uint32_t value) const {
    return first == nullptr || (width == 0 && (*this)[0] == value);
  }

private:
  const char *first = nullptr;
  uint32_t width = 0, mask = 0;
};

/// Writes a packed table.
class TableWriter {
public:
  explicit TableWriter(size_t rows);
  /// Writes a number beside the columns.
  void number(uint32_t value);
  /// Writes a column, as one number if all are equal.
  void column(const Column &values);
  /// Writes a column of one number for all rows.
  void one(uint32_t value);
  /// Writes a column whose rows are never one number.
  void each(const Column &values);
  /// The finished table.
  std::string end() &&;

private:
  std::string bytes;
};

/// Reads a packed table. Throws Error when the bytes end too early.
class TableReader {
public:
  explicit TableReader(std::string_view bytes);
  size_t rows() const { return numRows; }
  uint32_t number();
  /// The next column, which is valid as long as the bytes.
  View columnView();
  /// The same, but throws Error for a column of one number, too.
  View eachView();
  /// Throws Error unless exactly the last three bytes are left.
  void end() const;

private:
  std::string_view take(size_t size);

  std::string_view bytes;
  size_t at = 0, numRows = 0;
};

} // namespace dendrolith::columns

#endif // DENDROLITH_RUNTIME_IMAGE_COLUMNS_H
