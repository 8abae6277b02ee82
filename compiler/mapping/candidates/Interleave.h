// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neurons dealt out to cores in small groups. Where neighbours are active
// together, a core that has neurons in a row has all the work of a step and
// others none.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_INTERLEAVE_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_INTERLEAVE_H

#include "compiler/mapping/candidates/SearchSpace.h"

namespace dendrolith {

/// The order in which groups of so many neighbours in each population go to as
/// many parts as `starts` has of it, those in a row to different ones. `starts`
/// become those of these parts.
NeuronOrder interleaved(const MapNetwork &network, SliceStarts &starts,
                        uint32_t group, uint64_t seed);

/// Adds mappings of neurons that are dealt out, where the best one that was
/// found has cores that wait for others.
void interleaveNeurons(const SearchSpace &space, std::vector<Candidate> &found);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_INTERLEAVE_H
