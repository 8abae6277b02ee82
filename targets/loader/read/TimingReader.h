// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the timing sets of a chip file.

#ifndef DENDROLITH_TARGETS_LOADER_READ_TIMINGREADER_H
#define DENDROLITH_TARGETS_LOADER_READ_TIMINGREADER_H

#include "targets/loader/chip/Timing.h"
#include "targets/loader/yaml/RecordReader.h"

namespace dendrolith::yaml {

/// One timing set; computes its hash. `microcode`: whether it must say how long
/// programs take; `numCores`: of the mesh.
TimingSet readTiming(const std::string &name, const Node &node,
                     const Sources &sources, bool microcode, uint64_t numCores);

/// What a step takes among so many `units`, which are tiles or chips, under
/// `key`: how it ends, or what else it waits for.
BarrierTiming readBarrier(const Node &node, RecordReader reader,
                          const std::string &units,
                          const std::string &key = "barrier");

/// The word `overlapped`, which is what a set without the key means, or
/// `serial` with its times.
std::optional<SerialPhases> readPhases(const Node &node, RecordReader reader);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_READ_TIMINGREADER_H
