// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which populations are feature maps. The mapper may put those into tiles
// (compiler/mapping/candidates/Tiles.h).

#ifndef DENDROLITH_COMPILER_LOWERING_FEATUREMAPS_H
#define DENDROLITH_COMPILER_LOWERING_FEATUREMAPS_H

#include "compiler/mapping/network/Network.h"

#include "dialects/dend/Dend.h"

namespace dendrolith {

/// The feature maps that a convolution or a pooling makes of a population;
/// all 0 for another one.
MapGrid gridOf(dend::PopulationOp population);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_FEATUREMAPS_H
