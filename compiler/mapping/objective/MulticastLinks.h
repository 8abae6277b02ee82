// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many links a chip with multicast saves.

#ifndef NEURITE_COMPILER_MAPPING_OBJECTIVE_MULTICASTLINKS_H
#define NEURITE_COMPILER_MAPPING_OBJECTIVE_MULTICASTLINKS_H

#include "compiler/mapping/SliceGraph.h"

#include "targets/loader/Target.h"

namespace neurite {

/// Links of the trees of all nets (by pins), for each link of their routes.
/// `cores` says on which core each slice lies.
double linksPerRoute(const SliceGraph &nets, const std::vector<uint32_t> &cores,
                     const Target &target);

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_OBJECTIVE_MULTICASTLINKS_H
