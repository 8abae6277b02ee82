// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Feature maps in tiles. Neurons of a convolution are numbered channel by
// channel, so that a range of them on a core reads whole rows of every source
// map; a tile of all channels reads little more than its own place. In tile
// order contiguous ranges are tiles, and the mapper can stay as it is.

#ifndef NEURITE_COMPILER_LOWERING_TILEMAPS_H
#define NEURITE_COMPILER_LOWERING_TILEMAPS_H

#include "compiler/lowering/NetworkToMap.h"

namespace neurite {

/// The feature maps that a convolution or a pooling makes of a population;
/// all 0 for another one.
MapGrid gridOf(dend::PopulationOp population);

/// Puts the network's feature maps into the order of the largest tiles that a
/// core has neuron slots and in-axons for, and marks in front of which neurons
/// tiles start. False where no population is fed by a convolution or pooling
/// and has neurons that are all alike.
bool tileMaps(LoweredNetwork &network, const Target &chip);

} // namespace neurite

#endif // NEURITE_COMPILER_LOWERING_TILEMAPS_H
