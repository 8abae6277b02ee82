// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices from a placement that says of ranges of neurons on which core they
// lie: an order of the neurons in which those of a core are neighbours.

#ifndef DENDROLITH_COMPILER_MAPPING_RESULT_GATHER_H
#define DENDROLITH_COMPILER_MAPPING_RESULT_GATHER_H

#include "compiler/mapping/network/MappingOptions.h"
#include "compiler/mapping/result/Mapping.h"

#include <vector>

namespace dendrolith {

/// Slices by (core, base), which count positions in `order`.
struct Placement {
  std::vector<Slice> slices;
  NeuronOrder order; ///< empty where every population keeps its order
};

/// `ranges` hold every neuron once. The slices of a core lie on it in the order
/// in which `ranges` first names them. So do the neurons of a slice that has
/// several ranges, except that neurons of one program come together. The slices
/// of a population are ordered by the lowest neuron in them, so that a
/// placement in whole slices keeps the order of the network. `numbers` gives by
/// population the number of each neuron that ranges count in, where those
/// differ.
Placement gather(const MapNetwork &network,
                 const std::vector<PlacedRange> &ranges,
                 const NeuronOrder &numbers = {});

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_RESULT_GATHER_H
