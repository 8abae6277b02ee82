// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints of a mapping as a file, YAML or JSON. All keys may be absent:
//
//   pin:                        # neurons to a core, a tile or the chip
//     - {population: lif1, first: 0, count: 64, core: 5}
//     - {population: lif2, tile: 3}
//   together:                   # on one core, or within one tile
//     - {of: [lif1, {population: out, first: 0, count: 8}]}
//     - {of: [lif2, out], within: tile}
//   apart:                      # no two of them on one core, or on one tile
//     - {of: [lif1, lif2], within: tile}
//   forbid:                     # dead cores and tiles
//     - {core: 7}
//     - {tile: 2}
//   reserve:                    # room that stays free on each core, or on one
//     - {compartments_per_core: 64, synapse_memory_words: 1024}
//     - {in_axons: 100, core: 0}
//   host: {tile: 0}
//
// Without `first` and `count` a range is the whole population, or goes on to
// its end. Room is named by the limits of the chip.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CONSTRAINTSFILE_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CONSTRAINTSFILE_H

#include "compiler/mapping/constraints/Constraints.h"

namespace dendrolith {

/// Throws Error with file:line:column for what names no population, neuron or
/// core, for members of a group that overlap, and for more room than a core
/// has. Whether the entries agree is the question of check().
Constraints parseConstraints(const MapNetwork &network, const Target &target,
                             const std::string &text,
                             const std::string &filename);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_CONSTRAINTSFILE_H
