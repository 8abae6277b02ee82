// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Areas carried from one process node to another.

#ifndef DENDROLITH_TARGETS_LOADER_READ_NODES_H
#define DENDROLITH_TARGETS_LOADER_READ_NODES_H

#include <cstdint>
#include <optional>

namespace dendrolith {

/// The nodes between which areas can be carried, in nm.
constexpr uint64_t kSmallestNode = 7, kLargestNode = 130;

/// The area at node `to` of what has the area 1 at node `from`; 1 for the same
/// node, whichever it is. Nothing where one of two different nodes lies outside
/// of the data.
std::optional<double> areaFactor(uint64_t from, uint64_t to);

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_READ_NODES_H
