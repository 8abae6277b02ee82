// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that does not depend on each other, on several threads.

#ifndef NEURITE_COMPILER_MAPPING_PARALLEL_H
#define NEURITE_COMPILER_MAPPING_PARALLEL_H

#include "compiler/mapping/Workers.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <vector>

namespace neurite {

/// Calls run(0) to run(count - 1), each of which writes a result of its own.
/// Throws what the first of them by number threw, once all have ended.
template <class Run> void inParallel(size_t count, unsigned threads, Run run) {
  std::vector<std::exception_ptr> failures(count);
  Workers workers(unsigned(std::min<size_t>(threads, count)));
  workers.share(uint32_t(count), [&](uint32_t i, unsigned) {
    try {
      run(size_t(i));
    } catch (...) {
      failures[i] = std::current_exception();
    }
  });
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_PARALLEL_H
