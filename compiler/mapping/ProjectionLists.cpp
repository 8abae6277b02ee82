// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/ProjectionLists.h"

namespace dendrolith {

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
