// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which single source keeps a core or a link busiest.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_LOUDSOURCES_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_LOUDSOURCES_H

#include "compiler/mapping/objective/ChipModel.h"
#include "targets/mesh/Routing.h"

namespace dendrolith {

struct LoudSource {
  bool fromInput = false;
  uint32_t index = 0;   ///< of the input or the population
  uint32_t element = 0; ///< source element of it
  double share = 0;     ///< of all messages over the link, or of all serving
};

struct LoudSources {
  std::vector<LoudSource> cores, links; ///< as they were asked for
};

/// Reads every list once. `starts` as in Split, `coreOfSlice` has the core of
/// each slice in their order. A core or link without a message has a share of
/// 0.
LoudSources loudSources(const MapNetwork &network, const Target &target,
                        const ChipModel &model,
                        const std::vector<std::vector<uint32_t>> &starts,
                        const std::vector<uint32_t> &coreOfSlice,
                        const std::vector<uint32_t> &cores,
                        const std::vector<MeshLink> &links);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_LOUDSOURCES_H
