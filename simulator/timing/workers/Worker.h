// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cycle engine runs in processes of its own (runtime/host/ChildProcess.h):
// SystemC elaborates once per process and is not thread-safe, and a worker that
// crashes must not take its caller along.

#ifndef DENDROLITH_SIMULATOR_TIMING_WORKERS_WORKER_H
#define DENDROLITH_SIMULATOR_TIMING_WORKERS_WORKER_H

#include "runtime/host/Content.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace dendrolith::sim {

using Progress = std::function<void(uint64_t done, uint64_t total)>;

/// Forks `count` workers and runs `work` in each. What a worker gives to its
/// sink goes to `take` in the caller, which reads to the end; workers are read
/// one after the other, as they have something. What workers report as progress
/// is added up and reported in the caller. Throws Error with the message of an
/// exception thrown in a worker, or saying how it died: that of the first one
/// by number, whichever failed first.
void inWorkers(
    size_t count,
    const std::function<void(size_t worker, const Progress &, const ByteSink &)>
        &work,
    const std::function<void(size_t worker, const ByteSource &)> &take,
    const Progress &progress);

/// The same of one worker and bytes that it returns as a whole.
std::string inWorker(const std::function<std::string(const Progress &)> &work,
                     const Progress &progress);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_TIMING_WORKERS_WORKER_H
