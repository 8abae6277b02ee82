// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/SpareThreads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace dendrolith;

namespace {

void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

TEST(SpareThreads, EachPieceRunsOnceAtAnyDepth) {
  for (unsigned count : {0u, 1u, 2u, 5u, 40u}) {
    SpareThreads threads(count);
    std::vector<std::vector<int>> runs(7, std::vector<int>(9, 0));
    threads.share(runs.size(), [&](size_t i) {
      threads.share(runs[i].size(), [&](size_t k) { ++runs[i][k]; });
    });
    EXPECT_EQ(runs, std::vector<std::vector<int>>(7, std::vector<int>(9, 1)))
        << count;
    threads.share(0, [&](size_t) { ADD_FAILURE(); });
  }
}

TEST(SpareThreads, NoMoreRunThanThereAre) {
  for (unsigned count : {1u, 2u, 3u, 8u}) {
    SpareThreads threads(count);
    std::atomic<int> running{0}, most{0};
    threads.share(6, [&](size_t) {
      threads.share(6, [&](size_t) {
        const int now = ++running;
        for (int seen = most; seen < now;)
          most.compare_exchange_weak(seen, now);
        rest();
        --running;
      });
    });
    EXPECT_LE(most, int(count));
    EXPECT_EQ(running, 0);
  }
}

TEST(SpareThreads, WhoeverHasPiecesLeftGetsThoseThatAreFree) {
  SpareThreads threads(2);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  // One of the two ends at once, be it the one that began or the other one.
  for (size_t brief : {0, 1}) {
    seen.clear();
    threads.share(2, [&](size_t i) {
      if (i == brief)
        return;
      threads.share(50, [&](size_t) {
        rest();
        const std::lock_guard<std::mutex> lock(mutex);
        seen.insert(std::this_thread::get_id());
      });
    });
    EXPECT_GE(seen.size(), 2u) << brief;
  }
}

TEST(SpareThreads, TheFirstFailureByNumberIsThrownOnceAllHaveEnded) {
  for (unsigned count : {1u, 4u}) {
    SpareThreads threads(count);
    std::vector<int> runs(8, 0);
    std::string what;
    try {
      threads.share(runs.size(), [&](size_t i) {
        ++runs[i];
        if (i == 3 || i == 6)
          throw std::runtime_error(std::to_string(i));
      });
    } catch (const std::runtime_error &error) {
      what = error.what();
    }
    EXPECT_EQ(what, "3");
    EXPECT_EQ(runs, std::vector<int>(8, 1));
  }
}

TEST(SpareThreads, OneThatWaitsLeavesItsPlace) {
  SpareThreads threads(1);
  std::set<std::thread::id> seen;
  std::mutex mutex;
  std::thread other;
  threads.idle([&] {
    other = std::thread([&] {
      threads.share(20, [&](size_t) {
        rest();
        const std::lock_guard<std::mutex> lock(mutex);
        seen.insert(std::this_thread::get_id());
      });
    });
    other.join();
  });
  EXPECT_EQ(seen.size(), 2u);
}

} // namespace
