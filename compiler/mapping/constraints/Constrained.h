// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search where constraints hold, and the search that starts from an
// earlier mapping. Both change a mapping that is there (Adjust.h).

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CONSTRAINED_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CONSTRAINED_H

#include "compiler/mapping/constraints/Constraints.h"
#include "compiler/mapping/network/MappingOptions.h"
#include "compiler/mapping/objective/ChipModel.h"
#include "compiler/mapping/result/Fit.h"
#include "compiler/mapping/result/Mapping.h"

namespace dendrolith {

/// The better of two searches' mappings once it keeps the constraints, which
/// count in the neurons of `network`.
Fit<Mapping> searchUnder(const MapNetwork &network, const Target &target,
                         const MappingOptions &options, const ChipModel &model,
                         const Constraints &constraints);

/// From the mapping that options.mapFrom names; the objective says how many
/// neurons moved.
Fit<Mapping> searchFrom(const MapNetwork &network, const Target &target,
                        const MappingOptions &options, const ChipModel &model,
                        const Constraints &constraints);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CONSTRAINED_H
