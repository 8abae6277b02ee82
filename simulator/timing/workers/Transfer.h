// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run's result as bytes and back, for the way from the worker process to its
// caller. Both are the same program, so the layout is the
// machine's own and has no version.

#ifndef DENDROLITH_SIMULATOR_TIMING_WORKERS_TRANSFER_H
#define DENDROLITH_SIMULATOR_TIMING_WORKERS_TRANSFER_H

#include "runtime/host/Content.h"
#include "simulator/result/RunResult.h"

#include <string>

namespace dendrolith::sim {

/// Hands the bytes over from where they lie: traces are most of them, and not
/// copied.
void send(const RunResult &result, const ByteSink &sink);

/// Reads what send() handed over, into memory that the result then has. Throws
/// Error when the bytes are not exactly one result.
RunResult receive(const ByteSource &source);

/// Both of bytes in memory.
std::string toBytes(const RunResult &result);
RunResult fromBytes(const std::string &bytes);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_WORKERS_TRANSFER_H
