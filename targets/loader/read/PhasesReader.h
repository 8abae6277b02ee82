// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads `phases` of a timing set.

#ifndef DENDROLITH_TARGETS_LOADER_READ_PHASESREADER_H
#define DENDROLITH_TARGETS_LOADER_READ_PHASESREADER_H

#include "targets/loader/chip/Timing.h"
#include "targets/loader/yaml/RecordReader.h"

namespace dendrolith::yaml {

/// The word `overlapped`, which is what a set without the key means, or
/// `serial` with its times.
std::optional<SerialPhases> readPhases(const Node &node, RecordReader reader);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_READ_PHASESREADER_H
