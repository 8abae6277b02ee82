// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What leads from one chip of a board to the next. An axon is a source (a
// neuron, or an element of an input) and an in-axon that it is sent to, or the
// host: one message of each emission. It follows from the mapping alone, so
// that a limit on it holds whatever a run does.

#ifndef DENDROLITH_COMPILER_MAPPING_CHIPEDGES_H
#define DENDROLITH_COMPILER_MAPPING_CHIPEDGES_H

#include "compiler/mapping/Fit.h"
#include "compiler/mapping/Mapping.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace dendrolith {

/// Whether a target has several chips and a limit of their edges.
bool limitsEdges(const Target &target);

/// Axons by chip and its neighbour. Routes go along the row of chips first.
using EdgeAxons = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

/// Those of a mapping; edges that nothing crosses are not there.
EdgeAxons edgeAxons(const MapNetwork &network, const Target &target,
                    const std::vector<Slice> &slices);

/// Where an edge has more than the target's `edge_axons`, whole cores change
/// their chips as long as that leaves less beyond it, or as much and fewer
/// axons over edges. What fitted a core still does. The first move that helps
/// is taken, in order of ids. Whether an edge had too many, so that cores may
/// have moved.
bool keepEdges(const MapNetwork &network, const Target &target,
               std::vector<Slice> &slices);

/// The edge that is furthest beyond the target's `edge_axons`.
std::optional<Misfit> edgeMisfit(const MapNetwork &network,
                                 const Target &target,
                                 const std::vector<Slice> &slices);

/// A row of the fit table for each edge, where the target has a limit.
void addEdgeRows(const MapNetwork &network, const Target &target,
                 Mapping &mapping);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CHIPEDGES_H
