// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists of all projections of a source, for those who look at what each of
// its elements sends.

#ifndef DENDROLITH_COMPILER_MAPPING_PROJECTIONLISTS_H
#define DENDROLITH_COMPILER_MAPPING_PROJECTIONLISTS_H

#include "compiler/mapping/ListWalk.h"

#include <vector>

namespace dendrolith {

struct ProjectionLists {
  const MapProjection *projection;
  ListWalk lists;
};

/// Those of each input, or of each population, where populations are split at
/// `starts`. Network and format outlive them. `contents` as in ListWalk.
std::vector<std::vector<ProjectionLists>>
listsBySource(const MapNetwork &network, const SynapseFormat &format,
              const std::vector<std::vector<uint32_t>> &starts, bool fromInput,
              bool contents = false);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_PROJECTIONLISTS_H
