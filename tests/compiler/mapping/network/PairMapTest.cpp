// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/network/ListClasses.h: its map against one of the library.

#include "compiler/mapping/network/ListClasses.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace dendrolith;

namespace {

TEST(PairMap, HoldsWhatAMapHolds) {
  std::mt19937 random(1);
  PairMap<uint32_t> map;
  for (int round = 0; round < 5; ++round) {
    std::map<std::pair<uint64_t, uint64_t>, uint32_t> plain;
    for (int i = 0; i < 2000; ++i) {
      const uint64_t a = random() % 40, b = uint64_t(random() % 40) << 16;
      const auto known = plain.find({a, b});
      const uint32_t *found = map.find(a, b);
      ASSERT_EQ(found != nullptr, known != plain.end());
      if (found) {
        ASSERT_EQ(*found, known->second);
      }
      if (random() % 3)
        continue;
      ASSERT_EQ(map.at(a, b), known == plain.end() ? 0 : known->second);
      map.at(a, b) = plain[{a, b}] = random();
    }
    map.clear();
  }
}

} // namespace
