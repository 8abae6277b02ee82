// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that does not depend on each other, on several threads.

#ifndef NEURITE_COMPILER_MAPPING_PARALLEL_H
#define NEURITE_COMPILER_MAPPING_PARALLEL_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace neurite {

/// Calls run(0) to run(count - 1), each of which writes a result of its own.
/// Throws what the first of them by number threw, once all have ended.
template <class Run> void inParallel(size_t count, unsigned threads, Run run) {
  std::atomic<size_t> next{0};
  std::vector<std::exception_ptr> failures(count);
  auto work = [&] {
    for (size_t i; (i = next++) < count;)
      try {
        run(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
  };
  std::vector<std::thread> workers;
  for (size_t t = 1; t < std::min<size_t>(threads, count); ++t)
    workers.emplace_back(work);
  work();
  for (std::thread &worker : workers)
    worker.join();
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace neurite

#endif // NEURITE_COMPILER_MAPPING_PARALLEL_H
