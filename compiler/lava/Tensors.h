// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes keyword arguments of processes; Kwargs.h reads them.

#ifndef DENDROLITH_COMPILER_LAVA_TENSORS_H
#define DENDROLITH_COMPILER_LAVA_TENSORS_H

#include "compiler/lava/lava.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::lava {

using Dims = std::vector<uint64_t>;

void setInteger(Process &process, const std::string &key, int64_t value);
void setIntegers(Process &process, const std::string &key,
                 const std::vector<int64_t> &values);
void setText(Process &process, const std::string &key, const std::string &text);
void setTensor(Process &process, const std::string &key, Tensor tensor);
/// Writes one number where all are equal, else a tensor of that shape.
void setNumbers(Process &process, const std::string &key, const Dims &dims,
                const std::vector<int64_t> &values);

/// Writes a tensor in row-major order, in the narrowest of i1, i2, i4, i8 that
/// holds all values.
Tensor denseTensor(const Dims &dims, const std::vector<int64_t> &values);

/// The entries of a matrix, sorted by (row, column), each pair once.
struct MatrixEntry {
  uint32_t row, column;
  int64_t value;
};
Tensor csrTensor(uint64_t rows, uint64_t columns,
                 const std::vector<MatrixEntry> &entries);

Value integerValue(int64_t value);
Value realValue(double value);
Value tupleValue(const std::vector<int64_t> &values);

/// A dense tensor (denseTensor).
Value tensorValue(const std::vector<uint64_t> &dims,
                  const std::vector<int64_t> &values);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_TENSORS_H
