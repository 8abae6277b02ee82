// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Candidates that a search has evaluated already. A sweep over numbers of cores
// often ends with the same cut of the network for several of them, or with the
// same slices on the same cores.

#ifndef DENDROLITH_COMPILER_MAPPING_CANDIDATES_CANDIDATECACHE_H
#define DENDROLITH_COMPILER_MAPPING_CANDIDATES_CANDIDATECACHE_H

#include "compiler/mapping/candidates/Arrangement.h"
#include "runtime/host/SpareThreads.h"

#include <condition_variable>
#include <cstddef>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

namespace dendrolith {

// Answers that several threads may ask for, each made once.

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

/// Several threads may ask at a time: which of two is first changes no answer.
class CandidateCache {
public:
  explicit CandidateCache(SpareThreads &threads)
      : arrangements(threads, kMostArrangements), places(threads) {}

  /// Where slices went, and what that is predicted to cost.
  struct PlacedCores {
    SliceCores cores;
    Evaluation eval;
  };

  /// The arrangement of the network in an order, cut at these starts; null
  /// where it does not fit. make() computes an answer that is not there.
  template <class Make>
  std::shared_ptr<const Arrangement> arrangement(const NeuronOrder &order,
                                                 const SliceStarts &starts,
                                                 Make make) const {
    return arrangements.of(std::tie(order, starts), make);
  }

  /// Where slices go that are packed so, and what that costs.
  template <class Make>
  PlacedCores placed(const NeuronOrder &order, const SliceStarts &starts,
                     const SliceCores &packed, Make make) const {
    return places.of(std::tie(order, starts, packed), make);
  }

private:
  // Neighbours in a sweep are those that are alike; all would take much memory.
  static constexpr size_t kMostArrangements = 4;

  mutable OnceMap<std::tuple<NeuronOrder, SliceStarts>,
                  std::shared_ptr<const Arrangement>>
      arrangements;
  mutable OnceMap<std::tuple<NeuronOrder, SliceStarts, SliceCores>, PlacedCores>
      places;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_MAPPING_CANDIDATES_CANDIDATECACHE_H
