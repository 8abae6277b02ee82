// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads for work within work: whoever has pieces left gets those that are
// free at that moment.

#ifndef DENDROLITH_RUNTIME_HOST_SPARETHREADS_H
#define DENDROLITH_RUNTIME_HOST_SPARETHREADS_H

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

namespace dendrolith {

class SpareThreads {
public:
  /// So many threads in all, one of which is the one that begins.
  explicit SpareThreads(unsigned threads)
      : spare(threads > 0 ? threads - 1 : 0) {}

  /// Calls run(0) to run(count - 1), each of which writes a result of its own,
  /// and returns when all have returned. Pieces may share() what they do in
  /// turn. A thread that has no piece left goes to whoever takes a piece next,
  /// at any depth; no more than there are run at a time. Throws what the first
  /// of them by number threw, once all have ended.
  void share(size_t count, const std::function<void(size_t)> &run);

  /// Calls wait(), in which the caller waits for others, who may have its place
  /// meanwhile: whoever works may then wait for whoever works.
  template <class Wait> void idle(Wait wait) {
    giveBack();
    wait();
    takeBack();
  }

private:
  bool take();
  void giveBack();
  void takeBack();

  std::mutex mutex; // guards what follows
  std::condition_variable freed;
  unsigned spare;
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_SPARETHREADS_H
