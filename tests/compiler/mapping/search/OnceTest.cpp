// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/search/Once.h"

#include "runtime/host/Parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace neurite {
namespace {

TEST(Once, EachAnswerIsMadeOnceWhateverThreadsAsk) {
  Once<int, int> squares;
  std::atomic<int> made{0};
  inParallel(64, 8, [&](size_t i) {
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

TEST(Once, TheOldestAnswersAreForgotten) {
  Once<int, int> last(2);
  int made = 0;
  auto ask = [&](int key) { return last.of(key, [&] { return ++made; }); };
  EXPECT_EQ(ask(1), 1);
  EXPECT_EQ(ask(2), 2);
  EXPECT_EQ(ask(1), 1);
  EXPECT_EQ(ask(3), 3); // instead of 1
  EXPECT_EQ(ask(2), 2);
  EXPECT_EQ(ask(1), 4);
}

TEST(Once, WhatFailsIsTriedAgain) {
  Once<int, int> once;
  EXPECT_THROW(once.of(1, []() -> int { throw std::runtime_error("not now"); }),
               std::runtime_error);
  EXPECT_EQ(once.of(1, [] { return 5; }), 5);
}

} // namespace
} // namespace neurite
