// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many links a chip with multicast saves.

#ifndef DENDROLITH_COMPILER_MAPPING_OBJECTIVE_MULTICASTLINKS_H
#define DENDROLITH_COMPILER_MAPPING_OBJECTIVE_MULTICASTLINKS_H

#include "compiler/mapping/result/SliceGraph.h"

#include "targets/loader/Target.h"

namespace dendrolith {

/// Links of the trees of all nets (by pins), for each link of their routes.
/// `cores` says on which core each slice lies.
double linksPerRoute(const SliceGraph &nets, const std::vector<uint32_t> &cores,
                     const Target &target);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_OBJECTIVE_MULTICASTLINKS_H
