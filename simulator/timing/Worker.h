// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cycle engine runs in a process of its own (runtime/host/ChildProcess.h):
// SystemC elaborates once per process and is not thread-safe, and a worker that
// crashes must not take its caller along.

#ifndef NEURITE_SIMULATOR_TIMING_WORKER_H
#define NEURITE_SIMULATOR_TIMING_WORKER_H

#include "runtime/host/Content.h"

#include <cstdint>
#include <functional>
#include <string>

namespace neurite::sim {

using Progress = std::function<void(uint64_t done, uint64_t total)>;

/// Forks, runs `work` in the child, and hands what it gives to the sink to
/// `take` in the caller, which reads to the end. What the child reports as
/// progress is reported in the caller. Throws Error with the message of an
/// exception thrown in the child, or saying how the child died.
void inWorker(
    const std::function<void(const Progress &, const ByteSink &)> &work,
    const std::function<void(const ByteSource &)> &take,
    const Progress &progress);

/// The same of bytes that the child returns as a whole.
std::string inWorker(const std::function<std::string(const Progress &)> &work,
                     const Progress &progress);

} // namespace neurite::sim

#endif // NEURITE_SIMULATOR_TIMING_WORKER_H
