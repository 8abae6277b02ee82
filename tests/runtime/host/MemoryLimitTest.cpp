// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/host/MemoryLimit.cpp. That a process ends with an error where
// memory ends is in tests/cli/out_of_memory_test.py.

#include "runtime/host/MemoryLimit.h"

#include <gtest/gtest.h>

namespace dendrolith {
namespace {

const char *const kMeminfo = "MemTotal:       24000 kB\n"
                             "MemFree:          100 kB\n"
                             "MemAvailable:    2000 kB\n"
                             "SwapFree:          48 kB\n";

TEST(MemoryLimit, FreeIsWhatIsAvailableAndSwap) {
  EXPECT_EQ(freeMemoryOf(kMeminfo, "", "", ""), 2048u * 1024);
}

TEST(MemoryLimit, AGroupMayHaveLess) {
  EXPECT_EQ(freeMemoryOf(kMeminfo, "1000000\n", "900000\n", ""), 100000u);
  EXPECT_EQ(freeMemoryOf(kMeminfo, "1000000\n", "900000\n",
                         "anon 1\ninactive_file 50000\n"),
            150000u);
  EXPECT_EQ(freeMemoryOf(kMeminfo, "1000\n", "2000\n", ""), 0u);
  EXPECT_EQ(freeMemoryOf(kMeminfo, "max\n", "2000\n", ""), 2048u * 1024);
}

TEST(MemoryLimit, NothingIsSaidWhereNothingIsKnown) {
  EXPECT_FALSE(freeMemoryOf("MemTotal: 24000 kB\n", "", "", ""));
  EXPECT_FALSE(freeMemoryOf("", "1000", "10", ""));
}

TEST(MemoryLimit, ThisSystemTells) {
  const auto free = freeMemory();
  ASSERT_TRUE(free);
  EXPECT_GT(*free, 1000000u);
}

} // namespace
} // namespace dendrolith
