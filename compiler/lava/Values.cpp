// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lava/Values.h"
#include "compiler/lava/Tensors.h"

namespace dendrolith::lava {

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
