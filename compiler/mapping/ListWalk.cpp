// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/ListWalk.h"

namespace dendrolith {

ListWalk::ListWalk(const SynapseFormat &format, const MapProjection &projection,
                   const std::vector<uint32_t> &starts, uint32_t each,
                   bool contents)
    : projection(projection),
      planner(format, projection.weightBits, projection.shared),
      contents(contents && projection.shared) {
  for (uint32_t start : starts)
    bounds.push_back(uint64_t(start) * each);
  uint32_t slice = 0;
  for (uint64_t at = 0; at < bounds.back(); at += kBlock) {
    while (bounds[slice + 1] <= at)
      ++slice;
    sliceAt.push_back(slice);
  }
}

} // namespace dendrolith
