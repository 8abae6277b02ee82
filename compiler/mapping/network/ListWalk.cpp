// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/network/ListWalk.h"

namespace dendrolith {

ListWalk::ListWalk(const SynapseFormat &format, const MapProjection &projection,
                   const std::vector<uint32_t> &starts, uint32_t each,
                   bool contents)
    : projection(projection),
      planner(format, projection.synapseBits(), projection.shared),
      contents(contents && projection.shared) {
  if (projection.kernel)
    kernel = std::make_shared<KernelWords>(format, projection, starts);
  for (uint32_t start : starts)
    bounds.push_back(uint64_t(start) * each);
  uint32_t slice = 0;
  for (uint64_t at = 0; at < bounds.back(); at += kBlock) {
    while (bounds[slice + 1] <= at)
      ++slice;
    sliceAt.push_back(slice);
  }
}

std::vector<std::vector<ProjectionLists>>
listsBySource(const MapNetwork &network, const SynapseFormat &format,
              const std::vector<std::vector<uint32_t>> &starts, bool fromInput,
              bool contents) {
  std::vector<std::vector<ProjectionLists>> of(
      fromInput ? network.inputs.size() : network.populations.size());
  for (const MapProjection &projection : network.projections)
    if (projection.fromInput == fromInput)
      of[projection.source].push_back(
          {&projection,
           ListWalk(format, projection, starts[projection.target],
                    network.populations[projection.target].accumulators,
                    contents)});
  return of;
}

} // namespace dendrolith
