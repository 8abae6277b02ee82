// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor of the schema as numbers, once its sizes agree with its bytes.

#ifndef DENDROLITH_COMPILER_LAVA_ARRAY_H
#define DENDROLITH_COMPILER_LAVA_ARRAY_H

#include "compiler/lava/lava.pb.h"

#include <cstdint>
#include <optional>
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

// What Lava makes of the weights of Dense and Sparse before it runs.

/// The modes stand in the order of Lava's enumeration. NULL_MODE behaves as
/// EXCITATORY.
enum class SignMode { NULL_MODE, MIXED, EXCITATORY, INHIBITORY };
extern const std::vector<std::string> kSignModes; ///< Lava's names, in order

/// The mode of weights that name none: EXCITATORY if none is negative,
/// INHIBITORY if none is positive, else MIXED. What a sparse matrix leaves out
/// is 0.
SignMode signModeOf(const Array &weights);

/// Cuts to whole numbers towards zero, clips into the mode's range and drops
/// low bits. Throws Error beginning with `what` for a weight beyond 32 bits.
void prepareWeights(Array &weights, std::optional<SignMode> mode, int bits,
                    const std::string &what);

/// Cuts to whole numbers of 32 bits towards zero and does nothing else, as Lava
/// does with convolutions.
void castWeights(Array &weights, const std::string &what);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_ARRAY_H
