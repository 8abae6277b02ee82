// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads `area`, `leakage`, `voltage` and `clock` of a chip file.
// targets/area.md explains the keys.

#ifndef DENDROLITH_TARGETS_LOADER_READ_AREAREADER_H
#define DENDROLITH_TARGETS_LOADER_READ_AREAREADER_H

#include "targets/loader/chip/AreaData.h"
#include "targets/loader/yaml/RecordReader.h"

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

namespace dendrolith::yaml {

/// Areas that hold at another node than the chip's are carried to it. Throws
/// Error for a node that there is no way to.
AreaData readArea(const Node &node, RecordReader reader);
LeakageData readLeakage(const Node &node, RecordReader reader);
VoltageData readVoltage(const Node &node, RecordReader reader);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_READ_AREAREADER_H
