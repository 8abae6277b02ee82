// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lava/Tensors.h"

#include <algorithm>
#include <limits>

namespace dendrolith::lava {
namespace {

unsigned bytesFor(int64_t low, int64_t high) {
  auto fits = [&](auto zero) {
    using Limits = std::numeric_limits<decltype(zero)>;
    return low >= Limits::min() && high <= Limits::max();
  };
  return fits(int8_t()) ? 1 : fits(int16_t()) ? 2 : fits(int32_t()) ? 4 : 8;
}

void appendBytes(std::string &bytes, int64_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    bytes += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
}

} // namespace

void setInteger(Process &process, const std::string &key, int64_t value) {
  (*process.mutable_kwargs())[key].set_integer(value);
}

void setIntegers(Process &process, const std::string &key,
                 const std::vector<int64_t> &values) {
  auto *tuple = (*process.mutable_kwargs())[key].mutable_integers();
  tuple->mutable_values()->Assign(values.begin(), values.end());
}

void setText(Process &process, const std::string &key,
             const std::string &text) {
  (*process.mutable_kwargs())[key].set_text(text);
}

void setTensor(Process &process, const std::string &key, Tensor tensor) {
  *(*process.mutable_kwargs())[key].mutable_tensor() = std::move(tensor);
}

void setNumbers(Process &process, const std::string &key, const Dims &dims,
                const std::vector<int64_t> &values) {
  if (std::all_of(values.begin(), values.end(),
                  [&](int64_t value) { return value == values.front(); }))
    setInteger(process, key, values.front());
  else
    setTensor(process, key, denseTensor(dims, values));
}

Tensor denseTensor(const Dims &dims, const std::vector<int64_t> &values) {
  int64_t low = 0, high = 0;
  for (int64_t value : values) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  unsigned bytes = bytesFor(low, high);
  Tensor tensor;
  tensor.set_dtype("i" + std::to_string(bytes));
  tensor.mutable_dims()->Assign(dims.begin(), dims.end());
  tensor.mutable_dense()->reserve(values.size() * bytes);
  for (int64_t value : values)
    appendBytes(*tensor.mutable_dense(), value, bytes);
  return tensor;
}

Tensor csrTensor(uint64_t rows, uint64_t columns,
                 const std::vector<MatrixEntry> &entries) {
  int64_t low = 0, high = 0;
  std::vector<int64_t> begin(rows + 1);
  for (const MatrixEntry &entry : entries) {
    low = std::min(low, entry.value);
    high = std::max(high, entry.value);
    ++begin[entry.row + 1];
  }
  unsigned bytes = bytesFor(low, high);
  Tensor tensor;
  tensor.set_dtype("i" + std::to_string(bytes));
  tensor.add_dims(rows);
  tensor.add_dims(columns);
  Csr &csr = *tensor.mutable_csr();
  appendBytes(*csr.mutable_indptr(), 0, 8);
  for (uint64_t row = 0; row < rows; ++row) {
    begin[row + 1] += begin[row];
    appendBytes(*csr.mutable_indptr(), begin[row + 1], 8);
  }
  for (const MatrixEntry &entry : entries) {
    appendBytes(*csr.mutable_indices(), entry.column, 4);
    appendBytes(*csr.mutable_data(), entry.value, bytes);
  }
  return tensor;
}

Value integerValue(int64_t value) {
  Value out;
  out.set_integer(value);
  return out;
}

Value realValue(double value) {
  Value out;
  out.set_real(value);
  return out;
}

Value tupleValue(const std::vector<int64_t> &values) {
  Value out;
  for (int64_t value : values)
    out.mutable_integers()->add_values(value);
  return out;
}

Value tensorValue(const std::vector<uint64_t> &dims,
                  const std::vector<int64_t> &values) {
  Value out;
  *out.mutable_tensor() = denseTensor(dims, values);
  return out;
}

} // namespace dendrolith::lava
