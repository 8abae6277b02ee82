// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry: from a network to neurons on cores. README.md says which of the
// rooms beside this file has which step.

#ifndef DENDROLITH_COMPILER_MAPPING_MAPNETWORK_H
#define DENDROLITH_COMPILER_MAPPING_MAPNETWORK_H

#include "compiler/mapping/network/MappingOptions.h"
#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/Mapping.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// Maps the network onto the target; the answer depends on nothing but the
/// arguments. A misfit says which population needs more of which resource than
/// there is, and what would make it fit. Throws Error for a network that is
/// none, an unknown solver, and a placement that is no placement of it.
Fit<Mapping> mapNetwork(const MapNetwork &network, const Target &target,
                        const MappingOptions &options = {});

/// The target whose lists are stored without zeros.
Target skippingZeros(Target target);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_MAPNETWORK_H
