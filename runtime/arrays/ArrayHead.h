// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an array file says of itself before its numbers, which are not read:
// whoever knows what to expect refuses a wrong file before it takes memory.

#ifndef DENDROLITH_RUNTIME_ARRAYS_ARRAYHEAD_H
#define DENDROLITH_RUNTIME_ARRAYS_ARRAYHEAD_H

#include "runtime/arrays/Npy.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith {

struct ArrayHead {
  Array::NumberKind kind = Array::NumberKind::Float;
  std::vector<uint64_t> shape;
};

/// Of a .npy file. Throws Error as loadNpy() does, but for its elements.
ArrayHead headOfNpy(const std::string &path);

/// Of the members of a .npz archive, by name without ".npy". Throws Error as
/// loadNpz() does, but for their elements.
std::map<std::string, ArrayHead> headsOfNpz(const std::string &path);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_ARRAYHEAD_H
