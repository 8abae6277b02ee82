// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of an archive whose numbers are made while they are written.

#ifndef DENDROLITH_COMPILER_IMPORT_STUDY_PACKED_H
#define DENDROLITH_COMPILER_IMPORT_STUDY_PACKED_H

#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/Zip.h"

#include <functional>

namespace dendrolith::study {

/// Takes the next numbers of an array.
template <typename T>
using Numbers = std::function<void(const T *first, size_t count)>;

/// The array `name` of `count` numbers (int16_t to int64_t) in an archive.
/// `make` hands all of them over, and the same ones each time it is called.
template <typename T>
zip::Packed packed(const std::string &name, uint64_t count,
                   std::function<void(const Numbers<T> &)> make) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
                "numbers lie in the file as in memory");
  const std::string header =
      npy::formatHeader("<i" + std::to_string(sizeof(T)), {count});
  return {name + ".npy", header.size() + count * sizeof(T),
          [header, make](const ByteSink &sink) {
            sink(header);
            std::string piece;
            make([&](const T *first, size_t numbers) {
              piece.append(reinterpret_cast<const char *>(first),
                           numbers * sizeof(T));
              if (piece.size() < (1 << 16))
                return;
              sink(piece);
              piece.clear();
            });
            sink(piece);
          }};
}

/// One that lies in memory, which outlives it.
template <typename T>
zip::Packed packed(const std::string &name, const std::vector<T> &values) {
  return packed<T>(name, values.size(), [&values](const Numbers<T> &out) {
    out(values.data(), values.size());
  });
}

} // namespace dendrolith::study

#endif // DENDROLITH_COMPILER_IMPORT_STUDY_PACKED_H
