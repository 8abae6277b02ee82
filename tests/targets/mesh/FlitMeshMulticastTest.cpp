// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flits with several destinations: times by hand, links against the union of
// the routes, and that no traffic of them locks the mesh.

#include "targets/mesh/Routing.h"
#include "tests/targets/mesh/Traffic.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace dendrolith::test {
namespace {

std::map<uint32_t, uint64_t> timesOf(const Traffic &traffic) {
  std::map<uint32_t, uint64_t> times; // by destination
  for (const Arrival &arrival : traffic.arrivals)
    times[arrival.destination] = arrival.time;
  return times;
}

// 0 1    East from tile 0, and in the router of tile 1 one copy for its core
// 2 3    and one to the south.
TEST(MeshMulticast, BranchByHand) {
  Traffic traffic(selfTimedMesh(16), 2, 2);
  traffic.add(0, {3, 1}, 0);
  traffic.runUntil(never);
  ASSERT_EQ(traffic.arrivals.size(), 2u);
  // In tile 1 at 1050 + 4100. Its core comes first; the buffer passes the
  // second copy an interval, 582, later.
  EXPECT_EQ(timesOf(traffic),
            (std::map<uint32_t, uint64_t>{{1, 5150u + 1050},
                                          {3, 5150u + 582 + 6500 + 1050}}));
  EXPECT_EQ(traffic.mesh.link(0, FlitMesh::East).flits, 1u);
  EXPECT_EQ(traffic.mesh.link(1, FlitMesh::South).flits, 1u);
  EXPECT_EQ(traffic.mesh.link(1, FlitMesh::South).waited, 582u);
  EXPECT_EQ(traffic.hopsEw, 1u);
  EXPECT_EQ(traffic.hopsNs, 1u);
  EXPECT_TRUE(traffic.mesh.idle());
  // The copies have the numbers that they were given.
  for (const Arrival &arrival : traffic.arrivals)
    EXPECT_EQ(arrival.message, arrival.destination == 3 ? 0u : 1u);
}

// A row of four tiles: from tile 1 to both ends and to its own core. The one
// slot of its local buffer is free when the last of three copies has left.
TEST(MeshMulticast, RowByHand) {
  Traffic traffic(selfTimedMesh(1), 4, 1);
  traffic.add(1, {0, 1, 3}, 0);
  traffic.add(1, 1, 0);
  traffic.runUntil(never);
  ASSERT_EQ(traffic.arrivals.size(), 4u);
  // West at 1050, own core at 1632, east at 2214.
  EXPECT_EQ(traffic.arrivals[0].destination, 1u);
  EXPECT_EQ(traffic.arrivals[0].time, 1632u + 1050);
  // The port takes the next flit when the slot is back, credit - inject later.
  ASSERT_EQ(traffic.acceptedAt.size(), 2u);
  EXPECT_EQ(traffic.acceptedAt[1].second, 2214u + 3000 - 1050);
  EXPECT_EQ(timesOf(traffic),
            (std::map<uint32_t, uint64_t>{{0, 1050u + 4100 + 1050},
                                          {1, 4164u + 1050 + 1050},
                                          {3, 2214u + 2 * 4100 + 1050}}));
  EXPECT_EQ(traffic.hopsEw, 3u);
  EXPECT_EQ(traffic.hopsNs, 0u);
}

// Each in-axon of a core gets a copy from the last router.
TEST(MeshMulticast, OneCopyForEachInAxon) {
  Traffic traffic(selfTimedMesh(16), 2, 1);
  traffic.add(0, {1, 1}, 0);
  traffic.runUntil(never);
  ASSERT_EQ(traffic.arrivals.size(), 2u);
  EXPECT_EQ(traffic.arrivals[0].time, 1050u + 4100 + 1050);
  EXPECT_EQ(traffic.arrivals[1].time, 1050u + 4100 + 582 + 1050);
  EXPECT_EQ(traffic.hopsEw, 1u);
}

// A copy that has left is not held up by one that cannot leave.
TEST(MeshMulticast, BlockedBranchHoldsOnlyItsOwn) {
  Traffic traffic(selfTimedMesh(1), 3, 1, /*slots=*/1);
  traffic.service = never;
  traffic.add(2, 2, 0);      // fills the queue of core 2 for ever
  traffic.add(1, {0, 2}, 0); // waits in router 2
  traffic.add(1, {0, 2}, 0); // has sent its copy to the west; waits in router 1
  traffic.mesh.advanceUntil(20000);
  traffic.mesh.release(0, 20000);
  traffic.runUntil(never);
  std::vector<uint32_t> heard;
  for (const Arrival &arrival : traffic.arrivals)
    heard.push_back(arrival.destination);
  EXPECT_EQ(std::count(heard.begin(), heard.end(), 0u), 2);
  EXPECT_EQ(std::count(heard.begin(), heard.end(), 2u), 1);
  EXPECT_EQ(traffic.mesh.inFlight(), 2u);
  EXPECT_FALSE(traffic.mesh.idle());
}

struct Case {
  NocTiming noc;
  uint32_t slots, perTile;
};

std::vector<Case> cases() {
  NocTiming instant = clockedMesh(1); // everything at once, round by round
  instant.grid = 0;
  for (PortTiming *port : {&instant.north, &instant.south, &instant.east,
                           &instant.west, &instant.local}) {
    port->forward = port->credit = port->interval = 0;
    port->inject = port->eject = 0;
  }
  std::vector<Case> all;
  for (const NocTiming &noc :
       {clockedMesh(1), clockedMesh(4), selfTimedMesh(2), instant})
    for (uint32_t slots : {1u, CreditBuffer::unlimited})
      for (uint32_t perTile : {1u, 3u})
        all.push_back({noc, slots, perTile});
  return all;
}

/// Random sets of destinations from all endpoints of a mesh of 4 x 3 tiles, and
/// some flits with one, as fast as the mesh takes them. Adds what it asked for
/// to `sent`: by source, then by copy, the destinations.
void addRandom(Traffic &traffic, uint32_t count, unsigned seed,
               std::vector<std::pair<uint32_t, std::vector<uint32_t>>> &sent) {
  std::mt19937 random(seed);
  for (int i = 0; i < 600; ++i) {
    std::vector<uint32_t> to(1 + random() % 8);
    for (uint32_t &endpoint : to)
      endpoint = random() % count;
    const uint32_t source = random() % count;
    if (to.size() == 1 && random() % 2)
      traffic.add(source, to[0], 0);
    else
      traffic.add(source, to, 0);
    sent.push_back({source, to});
  }
}

// Every copy arrives, copies of one source to one destination in the order in
// which they were sent, and each link of a union is passed once. Buffers and
// queues of one flit are among the cases: none of them locks.
TEST(MeshMulticast, RandomSetsArriveOverTheUnionOfTheirRoutes) {
  Mesh grid;
  grid.tilesX = 4;
  grid.tilesY = 3;
  for (const Case &one : cases())
    for (unsigned seed = 0; seed < 5; ++seed) {
      const uint32_t count = 12 * one.perTile;
      Traffic traffic(one.noc, 4, 3, one.slots, one.perTile);
      traffic.service = 900;
      std::vector<std::pair<uint32_t, std::vector<uint32_t>>> sent;
      addRandom(traffic, count, seed, sent);
      traffic.runUntil(never);
      ASSERT_TRUE(traffic.mesh.idle());

      std::vector<Arrival> expected; // without times, in order of copies
      std::map<std::pair<uint32_t, uint32_t>, uint64_t> links;
      for (const auto &[source, to] : sent) {
        std::set<std::pair<uint32_t, uint32_t>> passed;
        for (uint32_t endpoint : to) {
          expected.push_back({expected.size(), 0, source, endpoint});
          for (const auto &link :
               routeBetween(grid, source / one.perTile, endpoint / one.perTile))
            passed.insert(link);
        }
        for (const auto &link : passed)
          ++links[link];
      }
      std::map<std::pair<uint32_t, uint32_t>, uint64_t> last;
      for (Arrival &arrival : traffic.arrivals) {
        auto [before, isFirst] = last.try_emplace(
            {arrival.source, arrival.destination}, arrival.message);
        EXPECT_TRUE(isFirst || before->second < arrival.message);
        before->second = arrival.message;
        arrival.time = 0;
      }
      std::sort(traffic.arrivals.begin(), traffic.arrivals.end(),
                [](const Arrival &a, const Arrival &b) {
                  return a.message < b.message;
                });
      ASSERT_EQ(traffic.arrivals, expected);

      uint64_t hops = 0;
      for (const auto &[link, flits] : links)
        hops += flits;
      EXPECT_EQ(traffic.hopsEw + traffic.hopsNs, hops);
      std::map<std::pair<uint32_t, uint32_t>, uint64_t> passed;
      for (uint32_t tile = 0; tile < 12; ++tile)
        for (uint32_t port = 0; port < FlitMesh::Local; ++port)
          if (uint64_t flits =
                  traffic.mesh.link(tile, FlitMesh::Port(port)).flits)
            passed[{tile, traffic.mesh.neighbour(tile, port)}] = flits;
      EXPECT_EQ(passed, links);
    }
}

// Neither the order inside an instant shows nor that tiles run ahead.
TEST(MeshMulticast, NoOrderShows) {
  for (const Case &one : cases()) {
    std::vector<Arrival> first;
    for (unsigned shuffle = 0; shuffle <= 5; ++shuffle) {
      Traffic traffic(one.noc, 4, 3, one.slots, one.perTile);
      traffic.service = 900;
      std::mt19937_64 random(shuffle);
      if (shuffle > 1)
        traffic.mesh.reorder = [&](std::vector<uint32_t> &batch) {
          std::shuffle(batch.begin(), batch.end(), random);
        };
      std::vector<std::pair<uint32_t, std::vector<uint32_t>>> sent;
      addRandom(traffic, 12 * one.perTile, 42, sent);
      if (shuffle == 1)
        traffic.mesh.advanceUntil(never);
      else
        traffic.runUntil(never);
      std::sort(traffic.arrivals.begin(), traffic.arrivals.end(),
                [](const Arrival &a, const Arrival &b) {
                  return a.message < b.message;
                });
      if (shuffle == 0)
        first = traffic.arrivals;
      ASSERT_EQ(traffic.arrivals, first);
    }
  }
}

// A set of one is a flit with one destination, to the picosecond.
TEST(MeshMulticast, OneDestinationTakesTheTimeOfAPlainFlit) {
  for (const Case &one : cases()) {
    std::vector<Arrival> arrivals[2];
    for (bool sets : {false, true}) {
      const uint32_t count = 12 * one.perTile;
      Traffic traffic(one.noc, 4, 3, one.slots, one.perTile);
      traffic.service = 900;
      std::mt19937 random(7);
      for (int i = 0; i < 500; ++i) {
        const uint32_t source = random() % count, to = random() % count;
        if (sets)
          traffic.add(source, std::vector<uint32_t>{to}, 0);
        else
          traffic.add(source, to, 0);
      }
      traffic.runUntil(never);
      arrivals[sets] = traffic.arrivals;
    }
    EXPECT_EQ(arrivals[0].size(), 500u);
    EXPECT_EQ(arrivals[0], arrivals[1]);
  }
}

} // namespace
} // namespace dendrolith::test
