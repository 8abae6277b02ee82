// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor of the schema as numbers, once its sizes agree with its bytes.

#ifndef DENDROLITH_COMPILER_LAVA_ARRAY_H
#define DENDROLITH_COMPILER_LAVA_ARRAY_H

#include "compiler/lava/lava.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::lava {

/// Row-major values, or those of a sparse matrix: row r has the columns
/// columns[rows[r]] to columns[rows[r + 1] - 1], rising, and as many values.
struct Array {
  std::vector<uint64_t> dims;
  bool isReal = false;
  std::vector<int64_t> integers; ///< if it is not real
  std::vector<double> reals;     ///< finite
  bool isSparse = false;
  std::vector<int64_t> rows;
  std::vector<int32_t> columns;

  size_t size() const { return isReal ? reals.size() : integers.size(); }
  /// Value i towards zero, held in the range of int64.
  int64_t whole(size_t i) const;
};

/// Elements of a shape, at most 2^31 - 1; throws Error beginning with `what`.
uint64_t elementCount(const std::vector<uint64_t> &dims,
                      const std::string &what);

/// Decodes a tensor. Memory stays within 16 bytes per byte of the message
/// (int8 to int64, and rows of sparse matrices). Throws Error beginning with
/// `what`: unknown dtype, sizes that do not agree, numbers that are not finite,
/// columns that do not rise.
Array readArray(const Tensor &tensor, const std::string &what);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_ARRAY_H
