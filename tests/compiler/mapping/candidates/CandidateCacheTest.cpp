// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/candidates/CandidateCache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace dendrolith {
namespace {

TEST(OnceMap, EachAnswerIsMadeOnceWhateverThreadsAsk) {
  SpareThreads threads(8);
  OnceMap<int, int> squares(threads);
  std::atomic<int> made{0};
  threads.share(64, [&](size_t i) {
    const int key = int(i % 4);
    EXPECT_EQ(squares.of(key,
                         [&] {
                           ++made;
                           std::this_thread::sleep_for(
                               std::chrono::milliseconds(2));
                           return key * key;
                         }),
              key * key);
  });
  EXPECT_EQ(made, 4);
}

// A thread that waits for an answer holds no thread that its maker needs.
TEST(OnceMap, AnAnswerMayBeMadeByManyThreads) {
  SpareThreads threads(4);
  OnceMap<int, int> sums(threads);
  std::vector<int> found(64);
  threads.share(found.size(), [&](size_t i) {
    found[i] = sums.of(int(i % 2), [&] {
      std::vector<int> parts(16);
      threads.share(parts.size(), [&](size_t k) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        parts[k] = int(k);
      });
      return std::accumulate(parts.begin(), parts.end(), 0);
    });
  });
  EXPECT_EQ(found, std::vector<int>(64, 120));
}

TEST(OnceMap, TheOldestAnswersAreForgotten) {
  SpareThreads threads(1);
  OnceMap<int, int> last(threads, 2);
  int made = 0;
  auto ask = [&](int key) { return last.of(key, [&] { return ++made; }); };
  EXPECT_EQ(ask(1), 1);
  EXPECT_EQ(ask(2), 2);
  EXPECT_EQ(ask(1), 1);
  EXPECT_EQ(ask(3), 3); // instead of 1
  EXPECT_EQ(ask(2), 2);
  EXPECT_EQ(ask(1), 4);
}

TEST(OnceMap, WhatFailsIsTriedAgain) {
  SpareThreads threads(1);
  OnceMap<int, int> once(threads);
  EXPECT_THROW(once.of(1, []() -> int { throw std::runtime_error("not now"); }),
               std::runtime_error);
  EXPECT_EQ(once.of(1, [] { return 5; }), 5);
}

} // namespace
} // namespace dendrolith
