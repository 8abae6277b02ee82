// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many things run at a time where a user names a number.

#ifndef DENDROLITH_RUNTIME_HOST_PROCESSORS_H
#define DENDROLITH_RUNTIME_HOST_PROCESSORS_H

#include <algorithm>
#include <cstdint>
#include <thread>

namespace dendrolith {

/// So many workers for `pieces` of work: as many as were asked for, or one per
/// processor for 0, but no more than there are pieces, and at least one.
inline unsigned workersFor(unsigned asked, uint64_t pieces) {
  const unsigned most =
      asked ? asked : std::max(std::thread::hardware_concurrency(), 1u);
  return static_cast<unsigned>(std::clamp<uint64_t>(pieces, 1, most));
}

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_PROCESSORS_H
