// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that share pieces of work which do not depend on each other.

#ifndef DENDROLITH_RUNTIME_HOST_WORKERS_H
#define DENDROLITH_RUNTIME_HOST_WORKERS_H

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dendrolith {

class Workers {
public:
  /// The caller is one of them. `isOver` tells whether to end early, and is
  /// asked by any of them; it may be empty.
  explicit Workers(unsigned threads, std::function<bool()> isOver = {});
  ~Workers();
  Workers(const Workers &) = delete;
  Workers &operator=(const Workers &) = delete;

  /// Whether what they work at is to end with what it has found.
  bool isOver() const { return over && over(); }

  unsigned count() const { return unsigned(threads.size()) + 1; }

  /// Calls run(0, worker) to run(pieces - 1, worker), in any order and on any
  /// worker, and returns when all have returned. Workers count from 0. Throws
  /// what the first of them by number threw, once all have ended.
  void share(uint32_t pieces,
             const std::function<void(uint32_t, unsigned)> &run);

private:
  void work(unsigned worker);
  /// Takes pieces until none is left. `lock` holds the mutex.
  void takePieces(unsigned worker, std::unique_lock<std::mutex> &lock);

  const std::function<bool()> over;
  std::vector<std::thread> threads;
  std::mutex mutex; // guards what follows
  std::condition_variable wake, done;
  const std::function<void(uint32_t, unsigned)> *run = nullptr;
  uint32_t pieces = 0, next = 0;
  // These are looked at without the mutex, too.
  std::atomic<uint64_t> round{0};   // of share()
  std::atomic<uint32_t> missing{0}; // pieces that have not ended
  bool ending = false;
  // What the first piece that failed has thrown.
  std::exception_ptr failure;
  uint32_t failed = 0;
};

/// So many workers for `pieces` of work: as many as were asked for, or one per
/// processor for 0, but no more than there are pieces, and at least one.
inline unsigned workersFor(unsigned asked, uint64_t pieces) {
  const unsigned most =
      asked ? asked : std::max(std::thread::hardware_concurrency(), 1u);
  return static_cast<unsigned>(std::clamp<uint64_t>(pieces, 1, most));
}

/// Calls run(0) to run(count - 1), each of which writes a result of its own.
/// Throws what the first of them by number threw, once all have ended.
template <class Run> void inParallel(size_t count, unsigned threads, Run run) {
  Workers workers(unsigned(std::min<size_t>(threads, count)));
  workers.share(uint32_t(count), [&](uint32_t i, unsigned) { run(size_t(i)); });
}

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_WORKERS_H
