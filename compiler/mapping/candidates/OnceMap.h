// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers that several threads may ask for, each made once.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_ONCEMAP_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_ONCEMAP_H

#include "runtime/host/SpareThreads.h"

#include <condition_variable>
#include <cstddef>
#include <limits>
#include <list>
#include <map>
#include <mutex>
#include <optional>

namespace dendrolith {

/// A thread that asks for what another one is making waits for it, so that no
/// work is done twice; making an answer must not ask for another one. Keys are
/// compared as std::less<> does, so that they can be looked up by references.
template <class Key, class Value> class OnceMap {
public:
  /// Keeps no more than `most` answers, those that were made last. A thread
  /// that waits lends its place in `threads` to others.
  OnceMap(SpareThreads &threads,
          size_t most = std::numeric_limits<size_t>::max())
      : threads(threads), most(most) {}

  template <class Like, class Make> Value of(const Like &key, Make make) {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      const auto known = answers.find(key);
      if (known == answers.end())
        break;
      if (known->second)
        return *known->second;
      threads.idle([&] {
        changed.wait(lock);
        lock.unlock();
      });
      lock.lock();
    }
    const auto mine = answers.emplace(key, std::nullopt).first;
    lock.unlock();
    try {
      Value value = make();
      lock.lock();
      mine->second = value;
      made.push_back(mine);
      if (made.size() > most) {
        answers.erase(made.front());
        made.pop_front();
      }
      changed.notify_all();
      return value;
    } catch (...) {
      if (!lock)
        lock.lock();
      answers.erase(mine); // those who wait try it themselves
      changed.notify_all();
      throw;
    }
  }

private:
  using Answers = std::map<Key, std::optional<Value>, std::less<>>;

  SpareThreads &threads;
  const size_t most;
  std::mutex mutex;
  std::condition_variable changed;
  Answers answers; // without a value: being made
  std::list<typename Answers::iterator> made;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_ONCEMAP_H
