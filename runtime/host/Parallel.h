// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that does not depend on each other, on several threads.

#ifndef DENDROLITH_RUNTIME_HOST_PARALLEL_H
#define DENDROLITH_RUNTIME_HOST_PARALLEL_H

#include "runtime/host/Workers.h"

#include <algorithm>
#include <cstddef>

namespace dendrolith {

/// Calls run(0) to run(count - 1), each of which writes a result of its own.
/// Throws what the first of them by number threw, once all have ended.
template <class Run> void inParallel(size_t count, unsigned threads, Run run) {
  Workers workers(unsigned(std::min<size_t>(threads, count)));
  workers.share(uint32_t(count), [&](uint32_t i, unsigned) { run(size_t(i)); });
}

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_PARALLEL_H
