// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Feature maps in tiles. Neurons of a convolution are numbered channel by
// channel, so that a range of them on a core reads whole rows of every source
// map; a tile of all channels reads little more than its own place. In tile
// order contiguous ranges are tiles.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_TILES_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_TILES_H

#include "compiler/mapping/result/Mapping.h"
#include "targets/loader/Target.h"

namespace dendrolith {

struct Tiles {
  std::vector<uint32_t> order; ///< neuron at each position: tile, channel, y, x
  std::vector<uint32_t> starts; ///< positions where tiles begin, and the end
};

/// At least `parts` tiles of all channels, or as many as there are places:
/// rows and columns divided into about equal parts, those that have the
/// shortest borders.
Tiles tilesOf(const MapGrid &grid, uint32_t parts);

/// The fewest tiles of each feature map that cores have neuron slots and
/// in-axons for. They become `cuts` of the network in that order: slices begin
/// and end there.
NeuronOrder orderInFewestTiles(const MapNetwork &network, const Target &target,
                               SliceStarts &cuts);

/// Whether any population is feature maps.
bool hasFeatureMaps(const MapNetwork &network);

/// Puts feature maps into tiles, as many as `starts` has parts of them, which
/// become the tiles; other populations stay.
NeuronOrder orderInTiles(const MapNetwork &network, SliceStarts &starts);

/// A text that says which feature maps lie in tiles when slices count in
/// `order`: "maps: 6 tiles of up to 8 x 5 of 16 x 15"; "" for none.
std::string tilesAmong(const MapNetwork &network, const NeuronOrder &order,
                       const std::vector<Slice> &slices);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_TILES_H
