// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/host/Workers.h, runtime/host/Workers.cpp.

#include "runtime/host/Workers.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>

using namespace dendrolith;

namespace {

TEST(Parallel, EachRunsOnceForAnyNumberOfThreads) {
  for (unsigned threads : {0u, 1u, 3u, 40u}) {
    std::vector<int> runs(20, 0);
    inParallel(runs.size(), threads, [&](size_t i) { ++runs[i]; });
    EXPECT_EQ(runs, std::vector<int>(20, 1)) << threads;
  }
}

TEST(Parallel, TheFirstFailureByNumberIsThrownOnceAllHaveEnded) {
  for (unsigned threads : {1u, 4u}) {
    std::vector<int> runs(8, 0);
    std::string what;
    try {
      inParallel(runs.size(), threads, [&](size_t i) {
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

TEST(Parallel, WorkersAreThereForManyRounds) {
  Workers workers(3);
  std::vector<uint64_t> sums(5);
  for (uint64_t round = 0; round < 1000; ++round)
    workers.share(uint32_t(sums.size()),
                  [&](uint32_t i, unsigned) { sums[i] += round; });
  EXPECT_EQ(sums, std::vector<uint64_t>(5, 1000 * 999 / 2));
}

} // namespace
