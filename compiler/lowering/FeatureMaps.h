// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which populations are feature maps. The mapper may put those into tiles
// (compiler/mapping/candidates/Tiles.h), and store their kernels once.

#ifndef DENDROLITH_COMPILER_LOWERING_FEATUREMAPS_H
#define DENDROLITH_COMPILER_LOWERING_FEATUREMAPS_H

#include "compiler/mapping/network/Network.h"

#include "dialects/dend/Dend.h"
#include "dialects/dend/Window.h"

namespace dendrolith {

/// The kernel of a convolution, whose place of a source and of a target is that
/// of their neurons; none for other synapses.
MapKernel kernelOf(dend::ProjectOp project);
MapKernel kernelOf(const dend::Window &window);

/// The feature maps that a convolution or a pooling makes of a population;
/// all 0 for another one.
MapGrid gridOf(dend::PopulationOp population);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_FEATUREMAPS_H
