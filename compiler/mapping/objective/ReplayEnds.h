// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between which ends messages travel in a replay: the cores in use, and behind
// them the host, or one of each chip.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYENDS_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYENDS_H

#include "targets/loader/Target.h"

#include <cstdint>
#include <vector>

namespace dendrolith {

struct ReplayEnds {
  /// `cores` says on which core each slice lies.
  ReplayEnds(const std::vector<uint32_t> &cores, const Target &target);

  bool isHost(uint32_t end) const { return end >= cores; }

  uint32_t cores = 0;           ///< in use
  std::vector<uint32_t> tiles;  ///< by end, as MeshRoutes counts them
  std::vector<uint32_t> slices; ///< the end of each slice
  std::vector<uint32_t> hosts;  ///< that of the host of each slice
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_REPLAYENDS_H
