// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/search/RingOrder.cpp.

#include "compiler/mapping/search/RingOrder.h"
#include "compiler/mapping/cluster/Limits.h"
#include "compiler/mapping/cluster/Random.h"
#include "tests/compiler/mapping/Networks.h"

using namespace dendrolith;
using namespace dendrolith::cluster;
using namespace dendrolith::test;

namespace {

constexpr uint32_t kNeurons = 600;

/// The places in the found order of neurons that are connected with those up to
/// 8 places away in an order of their own, which their numbers do not show: in
/// a ring, or in a line with two ends.
std::vector<uint32_t> found(bool ring) {
  const std::vector<uint32_t> number = shuffled(kNeurons, 5);
  std::vector<uint32_t> place(kNeurons);
  for (uint32_t i = 0; i < kNeurons; ++i)
    place[number[i]] = i;
  MapNetwork network;
  addPopulation(network, "p", kNeurons);
  connect(network, false, 0, 0,
          [&](uint32_t s, uint32_t t) -> std::optional<int> {
            uint32_t apart =
                std::max(place[s], place[t]) - std::min(place[s], place[t]);
            if (ring)
              apart = std::min(apart, kNeurons - apart);
            if (apart != 0 && apart <= 8)
              return 1;
            return std::nullopt;
          });
  const Target target = Target::load("loihi1-study");
  const ClusterOptions options;
  CoreLimits limits(target, options);
  const std::vector<uint32_t> position = ringOf(hypergraphOf(
      network, target, options, verticesOf(network, options), limits));
  std::vector<uint32_t> row;
  for (uint32_t n : number)
    row.push_back(position[n]);
  return row;
}

/// Neighbours that do not follow each other around the ring.
uint32_t gaps(const std::vector<uint32_t> &row) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < kNeurons; ++i) {
    const uint32_t apart =
        (row[(i + 1) % kNeurons] + kNeurons - row[i]) % kNeurons;
    count += apart != 1 && apart != kNeurons - 1;
  }
  return count;
}

TEST(RingOrder, AShuffledRingIsFound) {
  std::vector<uint32_t> row = found(true);
  EXPECT_EQ(gaps(row), 0u);
  std::sort(row.begin(), row.end());
  for (uint32_t i = 0; i < kNeurons; ++i)
    ASSERT_EQ(row[i], i);
}

TEST(RingOrder, AShuffledLineIsFoundButForItsEnds) {
  EXPECT_LE(gaps(found(false)), 20u);
}

TEST(RingOrder, NothingOfNothing) { EXPECT_TRUE(ringOf(Hypergraph()).empty()); }

} // namespace
