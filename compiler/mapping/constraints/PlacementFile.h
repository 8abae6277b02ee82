// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mapping written by hand, or saved and edited: a list in YAML or JSON,
//
//   - {population: hidden, first: 0, count: 128, core: 5}
//
// Each neuron stands in exactly one entry, under the number that the model
// gives it. Entries of a core lie on it in the order of the file, without gaps.
// Entries of one population form one slice, whatever neurons they hold, but for
// those that differ in `slice`, a number that is 0 where none is given.

#ifndef DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_PLACEMENTFILE_H
#define DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_PLACEMENTFILE_H

#include "compiler/mapping/network/MappingOptions.h"
#include "compiler/mapping/result/Mapping.h"
#include "targets/loader/Target.h"

namespace dendrolith {

/// The text of a file of bounded size, for parsePlacement().
std::string readPlacementFile(const std::string &path);

/// Gives the entries in the order of the file. Throws Error with
/// file:line:column. Limits of the cores are not checked here but by verify().
std::vector<PlacedRange> parsePlacement(const MapNetwork &network,
                                        const Target &target,
                                        const std::string &text,
                                        const std::string &filename);

/// The mapping as a placement file that gives it back. Its
/// order holds the numbers that users know neurons by.
std::string formatPlacement(const MapNetwork &network, const Mapping &mapping);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CONSTRAINTS_PLACEMENTFILE_H
