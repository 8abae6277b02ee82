// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/network/ListTally.h: its set against one of the library.

#include "compiler/mapping/network/ListTally.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace dendrolith;

namespace {

TEST(HashSet, HoldsWhatASetHolds) {
  for (uint64_t range : {1u, 7u, 1000u, 1000000u}) {
    std::mt19937_64 random(range);
    HashSet set;
    std::set<uint64_t> expected;
    for (int i = 0; i < 3000; ++i) {
      // Small numbers and such that differ in their upper bits alone.
      const uint64_t value = (random() % range) << (random() % 2 ? 40 : 0);
      EXPECT_EQ(set.insert(value), expected.insert(value).second) << value;
    }
  }
}

} // namespace
