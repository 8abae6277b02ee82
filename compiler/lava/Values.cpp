// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lava/Values.h"
#include "runtime/LittleEndian.h"

namespace neurite::lava {

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
  Tensor &tensor = *out.mutable_tensor();
  tensor.set_dtype("i4");
  for (uint64_t dim : dims)
    tensor.add_dims(dim);
  std::string &bytes = *tensor.mutable_dense();
  bytes.reserve(4 * values.size());
  for (int64_t value : values)
    appendLittle(bytes, static_cast<uint32_t>(value));
  return out;
}

} // namespace neurite::lava
