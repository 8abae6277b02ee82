// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lava/Array.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace dendrolith::lava {

namespace {

constexpr uint64_t kMostElements = std::numeric_limits<int32_t>::max();

/// Little-endian elements of a known type, which is this machine's order.
template <typename T, typename Out>
void appendElements(const std::string &bytes, std::vector<Out> &out) {
  out.resize(bytes.size() / sizeof(T));
  for (size_t i = 0; i < out.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<Out>(value);
  }
}

size_t itemSize(const std::string &dtype, const std::string &what) {
  for (const char *known : {"i1", "i2", "i4", "i8", "f4", "f8"})
    if (dtype == known)
      return size_t(dtype[1] - '0');
  throw Error(fmt::format("{}: dtype '{}', expected i1, i2, i4, i8, f4 or f8",
                          what, dtype));
}

void checkBytes(const std::string &bytes, uint64_t count, size_t item,
                const std::string &what, const char *part) {
  if (bytes.size() != count * item)
    throw Error(fmt::format("{}: {} has {} bytes, expected {} of {} bytes each",
                            what, part, bytes.size(), count, item));
}

void decode(const std::string &bytes, const std::string &dtype, Array &array,
            const std::string &what) {
  if (dtype == "i1")
    appendElements<int8_t>(bytes, array.integers);
  else if (dtype == "i2")
    appendElements<int16_t>(bytes, array.integers);
  else if (dtype == "i4")
    appendElements<int32_t>(bytes, array.integers);
  else if (dtype == "i8")
    appendElements<int64_t>(bytes, array.integers);
  else if (dtype == "f4")
    appendElements<float>(bytes, array.reals);
  else
    appendElements<double>(bytes, array.reals);
  for (double value : array.reals)
    if (!std::isfinite(value))
      throw Error(
          fmt::format("{}: holds {}, expected finite numbers", what, value));
}

void readSparse(const Csr &csr, const std::string &dtype, size_t item,
                Array &array, const std::string &what) {
  if (array.dims.size() != 2)
    throw Error(fmt::format("{}: sparse of shape {}, expected two dims", what,
                            shapeText(array.dims)));
  checkBytes(csr.indptr(), array.dims[0] + 1, sizeof(int64_t), what, "indptr");
  appendElements<int64_t>(csr.indptr(), array.rows);
  uint64_t entries = csr.data().size() / item;
  checkBytes(csr.data(), entries, item, what, "data");
  checkBytes(csr.indices(), entries, sizeof(int32_t), what, "indices");
  appendElements<int32_t>(csr.indices(), array.columns);
  decode(csr.data(), dtype, array, what);
  if (array.rows.front() != 0 || array.rows.back() != int64_t(entries))
    throw Error(fmt::format("{}: indptr goes from {} to {}, expected 0 to {} "
                            "(entries)",
                            what, array.rows.front(), array.rows.back(),
                            entries));
  for (size_t row = 0; row + 1 < array.rows.size(); ++row) {
    int64_t begin = array.rows[row], end = array.rows[row + 1], last = -1;
    if (begin > end || end > int64_t(entries))
      throw Error(fmt::format("{}: indptr falls or leaves the entries at row "
                              "{}",
                              what, row));
    for (int64_t k = begin; k < end; ++k) {
      int64_t column = array.columns[size_t(k)];
      if (column <= last || column >= int64_t(array.dims[1]))
        throw Error(fmt::format("{}: column {} in row {}, expected rising "
                                "columns below {}",
                                what, column, row, array.dims[1]));
      last = column;
    }
  }
}

} // namespace

int64_t Array::whole(size_t i) const {
  if (!isReal)
    return integers[i];
  constexpr double limit = 0x1p62;
  return int64_t(std::fmin(std::fmax(reals[i], -limit), limit));
}

uint64_t elementCount(const std::vector<uint64_t> &dims,
                      const std::string &what) {
  uint64_t count = 1;
  for (uint64_t dim : dims) {
    if (dim == 0 || dim > kMostElements / count)
      throw Error(fmt::format("{}: shape {}, expected 1 to {} elements", what,
                              shapeText(dims), kMostElements));
    count *= dim;
  }
  return count;
}

Array readArray(const Tensor &tensor, const std::string &what) {
  Array array;
  array.dims.assign(tensor.dims().begin(), tensor.dims().end());
  const std::string &dtype = tensor.dtype();
  size_t item = itemSize(dtype, what);
  array.isReal = dtype[0] == 'f';
  array.isSparse = tensor.has_csr();
  if (array.isSparse) {
    if (!tensor.dense().empty())
      throw Error(what + ": has dense and sparse values, expected one of them");
    for (uint64_t dim : array.dims)
      if (dim == 0 || dim > kMostElements)
        throw Error(fmt::format("{}: shape {}, expected dims of 1 to {}", what,
                                shapeText(array.dims), kMostElements));
    readSparse(tensor.csr(), dtype, item, array, what);
  } else {
    uint64_t count = elementCount(array.dims, what);
    checkBytes(tensor.dense(), count, item, what, "dense");
    decode(tensor.dense(), dtype, array, what);
  }
  return array;
}

const std::vector<std::string> kSignModes{"NULL", "MIXED", "EXCITATORY",
                                          "INHIBITORY"};

SignMode signModeOf(const Array &weights) {
  bool positive = false, negative = false;
  for (size_t i = 0; i < weights.size(); ++i) {
    int64_t w = weights.whole(i);
    positive |= w > 0;
    negative |= w < 0;
  }
  if (!negative)
    return SignMode::EXCITATORY;
  return positive ? SignMode::MIXED : SignMode::INHIBITORY;
}

void castWeights(Array &weights, const std::string &what) {
  using Word = std::numeric_limits<int32_t>;
  if (weights.isReal) {
    weights.integers.resize(weights.reals.size());
    for (size_t i = 0; i < weights.reals.size(); ++i)
      weights.integers[i] = weights.whole(i);
    weights.reals = {};
    weights.isReal = false;
  }
  for (int64_t w : weights.integers)
    if (w < Word::min() || w > Word::max())
      throw Error(
          fmt::format("{}: holds {}, expected weights of 32 bits", what, w));
}

void prepareWeights(Array &weights, std::optional<SignMode> given, int bits,
                    const std::string &what) {
  castWeights(weights, what);
  SignMode mode = given ? *given : signModeOf(weights);
  constexpr int64_t most = 255;
  const bool mixed = mode == SignMode::MIXED;
  const int64_t sign = mode == SignMode::INHIBITORY ? -1 : 1;
  const int dropped = 8 - bits + (mixed ? 1 : 0);
  for (int64_t &w : weights.integers) {
    int64_t clipped =
        std::clamp<int64_t>(sign * w, mixed ? -most - 1 : 0, most);
    w = sign * ((clipped >> dropped) * (int64_t(1) << dropped));
  }
}

} // namespace dendrolith::lava
