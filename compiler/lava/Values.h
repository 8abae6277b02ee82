// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as values of a lava::Model; Kwargs.h reads them.

#ifndef DENDROLITH_COMPILER_LAVA_VALUES_H
#define DENDROLITH_COMPILER_LAVA_VALUES_H

#include "compiler/lava/lava.pb.h"

#include <cstdint>
#include <vector>

namespace dendrolith::lava {

Value integerValue(int64_t value);
Value realValue(double value);
Value tupleValue(const std::vector<int64_t> &values);

/// A dense tensor (denseTensor).
Value tensorValue(const std::vector<uint64_t> &dims,
                  const std::vector<int64_t> &values);

} // namespace dendrolith::lava

#endif // DENDROLITH_COMPILER_LAVA_VALUES_H
