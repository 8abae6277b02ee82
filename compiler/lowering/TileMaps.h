// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Feature maps in tiles. Neurons of a convolution are numbered channel by
// channel, so that a range of them on a core reads whole rows of every source
// map; a tile of all channels reads little more than its own place. In tile
// order contiguous ranges are tiles, and the mapper can stay as it is.

#ifndef NEURITE_COMPILER_LOWERING_TILEMAPS_H
#define NEURITE_COMPILER_LOWERING_TILEMAPS_H

#include "dialects/dend/Dend.h"
#include "targets/loader/Target.h"

#include <optional>
#include <string>
#include <vector>

namespace neurite {

struct TileOrder {
  std::vector<uint32_t> neuron;   ///< at each position: tile, channel, y, x
  std::vector<uint32_t> position; ///< of each neuron
  std::vector<uint32_t> starts;   ///< positions where tiles start, rising
  std::string text;               ///< "8 x 8 of 64 x 64"
};

/// The largest tiles that a core has neuron slots and in-axons for. Nothing for
/// a population that no convolution or pooling feeds.
std::optional<TileOrder> tileOrder(dend::PopulationOp population,
                                   const Target &chip);

} // namespace neurite

#endif // NEURITE_COMPILER_LOWERING_TILEMAPS_H
