// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/arrays/PieceChecksum.cpp: in whatever pieces and order bytes
// come, their checksum is that of all of them in order.

#include "runtime/arrays/PieceChecksum.h"
#include "runtime/arrays/Zip.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <vector>

namespace dendrolith {
namespace {

TEST(PieceChecksum, IsThatOfAllBytesInOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string all(1 + random() % 3000, '\0');
    std::vector<std::pair<uint64_t, uint64_t>> pieces; // begin, size
    for (uint64_t at = 0; at < all.size();) {
      const uint64_t size =
          std::min<uint64_t>(1 + random() % 400, all.size() - at);
      if (random() % 3) // the others stay zero
        pieces.push_back({at, size});
      at += size;
    }
    std::shuffle(pieces.begin(), pieces.end(), random);
    PieceChecksum sum;
    for (auto [at, size] : pieces) {
      for (uint64_t i = at; i < at + size; ++i)
        all[i] = static_cast<char>(random());
      sum.add(at, std::string_view(all).substr(at, size));
    }
    EXPECT_EQ(sum.of(all.size()), zip::addToChecksum(0, all));
  }
}

TEST(PieceChecksum, OfNothingAndOfZeros) {
  PieceChecksum sum;
  EXPECT_EQ(sum.of(0), 0u);
  EXPECT_EQ(sum.of(5), zip::addToChecksum(0, std::string(5, '\0')));
  sum.add(2, "");
  EXPECT_EQ(sum.of(1 << 20), zip::addToChecksum(0, std::string(1 << 20, '\0')));
}

TEST(PieceChecksum, RefusesBytesThatCameBefore) {
  PieceChecksum sum;
  sum.add(10, "abc");
  sum.add(20, "abc");
  for (uint64_t at : {8, 10, 12, 18, 22})
    EXPECT_THROW(sum.add(at, "xyz"), std::logic_error) << at;
  EXPECT_THROW(sum.add(11, "x"), std::logic_error);
  EXPECT_THROW(sum.add(5, std::string(100, 'x')), std::logic_error);
}

} // namespace
} // namespace dendrolith
