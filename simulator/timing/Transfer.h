// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions turn a run's result into bytes and back, for the way from the
// worker process to its caller. Both are the same program, so the layout is the
// machine's own and has no version.

#ifndef NEURITE_SIMULATOR_TIMING_TRANSFER_H
#define NEURITE_SIMULATOR_TIMING_TRANSFER_H

#include "simulator/RunResult.h"

#include <string>

namespace neurite::sim {

std::string toBytes(const RunResult &result);

/// Reads what toBytes() wrote. Throws Error when the bytes are not exactly one
/// result.
RunResult fromBytes(const std::string &bytes);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_TRANSFER_H
