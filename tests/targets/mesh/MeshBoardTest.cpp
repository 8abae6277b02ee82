// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/mesh/FlitMesh.cpp.
// Boards of chips: times of chains by hand, in picoseconds, and traffic that
// fills every buffer.

#include "tests/targets/mesh/Traffic.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dendrolith::test {
namespace {

/// Loihi 1's hops, and links from chip to chip that take 50 ns, and pass a flit
/// every 5 ns.
NocTiming boardMesh(uint64_t buffer) {
  NocTiming noc = selfTimedMesh(8);
  noc.crossing.forward = noc.crossing.credit = 50000;
  noc.crossing.interval = 5000;
  noc.crossing.buffer = buffer;
  return noc;
}

uint64_t timeAcross(uint32_t chipsX, uint32_t chipsY, uint32_t from,
                    uint32_t to) {
  // Each chip has two tiles in the direction of the chain.
  const uint32_t tilesX = chipsY > 1 ? 1 : 2 * chipsX;
  const uint32_t tilesY = chipsY > 1 ? 2 * chipsY : 1;
  Traffic traffic(boardMesh(4), tilesX, tilesY, CreditBuffer::unlimited, 1,
                  chipsX, chipsY);
  traffic.add(from, to, 0);
  traffic.runUntil(never);
  EXPECT_EQ(traffic.hopsEw + traffic.hopsNs + traffic.crossings,
            from < to ? to - from : from - to);
  return traffic.arrivals.at(0).time;
}

// Inject and eject take 1050 each, a hop 4100 or 6500.
TEST(MeshBoard, ChainsOfTwoToFourChipsByHand) {
  EXPECT_EQ(timeAcross(2, 1, 0, 3), 1050u + 2 * 4100 + 50000 + 1050);
  EXPECT_EQ(timeAcross(3, 1, 0, 5), 1050u + 3 * 4100 + 2 * 50000 + 1050);
  EXPECT_EQ(timeAcross(4, 1, 0, 7), 168500u);
  EXPECT_EQ(timeAcross(4, 1, 7, 0), 168500u);
  EXPECT_EQ(timeAcross(4, 1, 3, 4), 1050u + 50000 + 1050);
  EXPECT_EQ(timeAcross(4, 1, 4, 5), 1050u + 4100 + 1050);
  EXPECT_EQ(timeAcross(1, 2, 0, 3), 1050u + 2 * 6500 + 50000 + 1050);
  EXPECT_EQ(timeAcross(1, 4, 7, 0), 1050u + 4 * 6500 + 3 * 50000 + 1050);
}

TEST(MeshBoard, HopsAndCrossingsAreCountedApart) {
  Traffic traffic(boardMesh(4), 4, 4, CreditBuffer::unlimited, 1, 2, 2);
  traffic.add(0, 15, 0);
  traffic.runUntil(never);
  EXPECT_EQ(traffic.hopsEw, 2u);
  EXPECT_EQ(traffic.hopsNs, 2u);
  EXPECT_EQ(traffic.crossings, 2u);
  EXPECT_EQ(traffic.arrivals.at(0).time, 2100u + 2 * (4100 + 6500 + 50000));
}

// Flits wait for the link: one leaves every 5000 as long as the buffer behind
// it has room. A slot of it is taken again 50000 + 50000 after it was taken.
TEST(MeshBoard, AStreamIsHeldUpByIntervalAndCredits) {
  for (uint64_t buffer : {2, 3, 30}) {
    Traffic traffic(boardMesh(buffer), 2, 1, CreditBuffer::unlimited, 1, 2, 1);
    for (int i = 0; i < 9; ++i)
      traffic.add(0, 1, 0);
    traffic.runUntil(never);
    ASSERT_EQ(traffic.arrivals.size(), 9u);
    for (uint64_t i = 0; i < 9; ++i)
      EXPECT_EQ(traffic.arrivals[i].time,
                52100 + i / buffer * 100000 + i % buffer * 5000)
          << i << " of buffer " << buffer;
    EXPECT_EQ(traffic.mesh.interval(0, FlitMesh::East), 5000u);
    EXPECT_EQ(traffic.mesh.interval(0, FlitMesh::Local), 582u);
  }
}

// Each tile of 3 x 2 chips of 2 x 2 sends to any other as much as its port
// takes. Buffers have one flit, and cores are slow. Everything
// arrives, and no order of the routers shows.
TEST(MeshBoard, OverloadEndsAndNoOrderShows) {
  std::vector<Arrival> first;
  for (unsigned order = 0; order < 3; ++order) {
    NocTiming noc = boardMesh(1);
    for (PortTiming *port :
         {&noc.north, &noc.south, &noc.east, &noc.west, &noc.local})
      port->buffer = 1;
    Traffic traffic(noc, 6, 4, /*slots=*/1, 1, 3, 2);
    traffic.service = 3000;
    std::mt19937_64 shuffle(order);
    if (order)
      traffic.mesh.reorder = [&](std::vector<uint32_t> &batch) {
        std::shuffle(batch.begin(), batch.end(), shuffle);
      };
    std::mt19937_64 random(7);
    for (int i = 0; i < 100; ++i)
      for (uint32_t tile = 0; tile < 24; ++tile)
        traffic.add(tile, random() % 24, 0);
    traffic.runUntil(never);
    ASSERT_TRUE(traffic.mesh.idle());
    ASSERT_EQ(traffic.arrivals.size(), 2400u);
    std::sort(traffic.arrivals.begin(), traffic.arrivals.end(),
              [](const Arrival &a, const Arrival &b) {
                return a.message < b.message;
              });
    if (order) {
      EXPECT_EQ(traffic.arrivals, first);
    }
    first = traffic.arrivals;
  }
}

} // namespace
} // namespace dendrolith::test
