// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/mesh/FlitMesh.cpp.
// The mesh against formulas that were confirmed on a cycle-accurate simulator
// of clocked routers.

#include "tests/targets/mesh/Traffic.h"

#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

uint64_t distance(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

void expectZeroLoad(uint32_t width, uint32_t height) {
  uint32_t tiles = width * height;
  Traffic traffic(clockedMesh(4), width, height);
  for (uint32_t from = 0; from < tiles; ++from)
    for (uint32_t to = 0; to < tiles; ++to) {
      uint64_t start = (from * tiles + to) * 100000;
      traffic.add(from, to, start);
      traffic.runUntil(never);
      ASSERT_EQ(traffic.arrivals.size(), from * tiles + to + 1);
      uint64_t routers = distance(from % width, to % width) +
                         distance(from / width, to / width) + 1;
      ASSERT_EQ(traffic.arrivals.back().time - start, (3 * routers + 2) * 1000)
          << from << " to " << to;
    }
}

TEST(MeshClosedForm, ZeroLoadLatencyOfAllPairsOf8x8) { expectZeroLoad(8, 8); }
TEST(MeshClosedForm, ZeroLoadLatencyOfAllPairsOf8x4) { expectZeroLoad(8, 4); }

TEST(MeshClosedForm, SelfTimedLatencyIsTheSumOfTheTimingSet) {
  const uint32_t width = 5, height = 3, tiles = width * height;
  Traffic traffic(selfTimedMesh(2), width, height);
  for (uint32_t from = 0; from < tiles; ++from)
    for (uint32_t to = 0; to < tiles; ++to) {
      uint64_t start = (from * tiles + to) * 100000 + 17;
      traffic.add(from, to, start);
      traffic.runUntil(never);
      EXPECT_EQ(traffic.arrivals.back().time - start,
                1050 + 4100 * distance(from % width, to % width) +
                    6500 * distance(from / width, to / width) + 1050);
    }
}

TEST(MeshClosedForm, HopsAreLinksReallyTravelled) {
  Traffic traffic(clockedMesh(4), 8, 4);
  traffic.add(0, 31, 0); // 7 to the east, 3 to the south
  traffic.add(9, 9, 0);  // none
  traffic.runUntil(never);
  EXPECT_EQ(traffic.hopsEw, 7u);
  EXPECT_EQ(traffic.hopsNs, 3u);
  EXPECT_EQ(traffic.mesh.link(0, FlitMesh::East).flits, 1u);
  EXPECT_EQ(traffic.mesh.link(7, FlitMesh::South).flits, 1u); // x first
  EXPECT_EQ(traffic.mesh.link(0, FlitMesh::South).flits, 0u);
  EXPECT_EQ(traffic.mesh.link(31, FlitMesh::Local).flits, 1u);
}

/// Flits per node and cycle that arrive in [from, to) cycles.
double accepted(const Traffic &traffic, uint64_t from, uint64_t to,
                uint32_t tiles) {
  uint64_t count = 0;
  for (const Arrival &arrival : traffic.arrivals)
    count += arrival.time >= from * 1000 && arrival.time < to * 1000;
  return double(count) / double(tiles) / double(to - from);
}

// Each row's middle link carries four flows in each direction; a buffer of B
// slots on a credit loop of 5 cycles passes B flits in 5 cycles.
class BitComplement : public testing::TestWithParam<uint64_t> {};

TEST_P(BitComplement, OverloadIsLimitedByTheCreditLoop) {
  const uint64_t buffer = GetParam();
  Traffic traffic(clockedMesh(buffer), 8, 4);
  addBernoulli(traffic, 32, 0.95, 6000, 1,
               [](uint32_t tile, auto &) { return 31 - tile; });
  traffic.runUntil(6000 * 1000);
  double expected = 0.25 * double(std::min<uint64_t>(buffer, 5)) / 5;
  EXPECT_DOUBLE_EQ(accepted(traffic, 1000, 6000, 32), expected);
}

INSTANTIATE_TEST_SUITE_P(Buffers, BitComplement,
                         testing::Values(1, 2, 3, 4, 5, 6, 8, 16, 64));

// Injection has the same credit loop of 5 cycles as a link.
TEST(MeshClosedForm, OwnTileOverloadIsLimitedByTheInjectionCreditLoop) {
  for (uint64_t buffer : {1, 2, 4, 5, 8}) {
    Traffic traffic(clockedMesh(buffer), 2, 2);
    addBernoulli(traffic, 4, 1.0, 2000, 1,
                 [](uint32_t tile, auto &) { return tile; });
    traffic.runUntil(2000 * 1000);
    EXPECT_DOUBLE_EQ(accepted(traffic, 500, 2000, 4),
                     double(std::min<uint64_t>(buffer, 5)) / 5);
  }
}

// Loads well below saturation: queueing is known from the same simulator (mean
// of three seeds, 21.05 and 16.79 cycles), so only the mesh's own randomness
// remains: 1 %.
TEST(MeshClosedForm, UniformTrafficAtATenthOfTheLinkRate) {
  struct {
    uint32_t width, height;
    double cycles;
  } rows[] = {{8, 8, 21.05}, {8, 4, 16.79}};
  for (const auto &row : rows) {
    uint32_t tiles = row.width * row.height;
    Traffic traffic(clockedMesh(4), row.width, row.height);
    std::vector<uint64_t> created;
    std::mt19937_64 random(7);
    for (uint64_t cycle = 0; cycle < 10000; ++cycle)
      for (uint32_t tile = 0; tile < tiles; ++tile)
        if (random() % 10 == 0) {
          traffic.add(tile, random() % tiles, cycle * 1000);
          created.push_back(cycle * 1000);
        }
    traffic.runUntil(never);
    ASSERT_EQ(traffic.arrivals.size(), created.size());
    double sum = 0;
    for (const Arrival &arrival : traffic.arrivals)
      sum += double(arrival.time - created[arrival.message]) / 1000;
    EXPECT_NEAR(sum / double(created.size()), row.cycles, 0.01 * row.cycles);
  }
}

} // namespace
} // namespace dendrolith::test
