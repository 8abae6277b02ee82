// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/delivery/CountedSums.h"

namespace dendrolith::sim {

void CountedSums::move(uint64_t due, uint32_t accumulator, size_t count,
                       int64_t *sums, uint8_t *marks) {
  uint32_t *from = words(due) + accumulator;
  for (size_t n = 0; n < count; ++n) {
    sums[n] = static_cast<int64_t>(static_cast<uint64_t>(sums[n]) +
                                   static_cast<uint64_t>(form.sum(from[n])));
    marks[n] |= (from[n] & form.mask()) != 0;
    from[n] = 0;
  }
}

} // namespace dendrolith::sim
