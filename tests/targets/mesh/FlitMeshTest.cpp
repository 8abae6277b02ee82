// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mesh's mechanisms one by one, and that no order inside one instant shows.

#include "tests/targets/mesh/Traffic.h"

#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

std::string endpointName(uint32_t endpoint) {
  return "endpoint " + std::to_string(endpoint);
}

/// Every batch in another order: nothing may change.
std::vector<Arrival> run(const NocTiming &noc, unsigned shuffleSeed,
                         uint32_t slots, uint32_t perTile) {
  const uint32_t width = 4, height = 3, count = width * height * perTile;
  Traffic traffic(noc, width, height, slots, perTile);
  traffic.service = 700;
  std::mt19937_64 random(shuffleSeed);
  if (shuffleSeed)
    traffic.mesh.reorder = [&](std::vector<uint32_t> &batch) {
      std::shuffle(batch.begin(), batch.end(), random);
    };
  addBernoulli(traffic, count, 0.5, 300, 42,
               [&](uint32_t, auto &random) { return random() % count; });
  traffic.runUntil(never);
  EXPECT_EQ(traffic.mesh.inFlight(), 0u);
  EXPECT_EQ(traffic.mesh.whatWaits(endpointName), "");
  // Which endpoint hears first at one instant is the order we shuffled.
  std::sort(
      traffic.arrivals.begin(), traffic.arrivals.end(),
      [](const Arrival &a, const Arrival &b) { return a.message < b.message; });
  return traffic.arrivals;
}

TEST(FlitMesh, OrderInsideAnInstantDoesNotShow) {
  NocTiming instant = clockedMesh(1); // everything at once, round by round
  instant.grid = 0;
  for (PortTiming *port : {&instant.north, &instant.south, &instant.east,
                           &instant.west, &instant.local}) {
    port->forward = port->credit = port->interval = 0;
    port->inject = port->eject = 0;
  }
  for (const NocTiming &noc :
       {clockedMesh(1), clockedMesh(4), selfTimedMesh(2), instant})
    for (uint32_t slots : {1u, 3u, CreditBuffer::unlimited})
      for (uint32_t perTile : {1u, 3u}) {
        std::vector<Arrival> plain = run(noc, 0, slots, perTile);
        EXPECT_FALSE(plain.empty());
        for (unsigned seed = 1; seed <= 5; ++seed)
          ASSERT_EQ(run(noc, seed, slots, perTile), plain);
      }
}

/// One flit from each neighbour of the middle of 3 x 3 tiles and one of its
/// own, all in its router at 3000: who arrives when.
std::vector<std::pair<uint64_t, uint32_t>> fiveForOne(uint64_t turn) {
  NocTiming noc = clockedMesh(17);
  for (PortTiming *port :
       {&noc.north, &noc.south, &noc.east, &noc.west, &noc.local})
    port->forward = port->credit = port->interval = 2000;
  noc.local.forward = 0;
  noc.turn = turn;
  Traffic traffic(noc, 3, 3);
  for (uint32_t neighbour : {1, 3, 5, 7})
    traffic.add(neighbour, 4, 0);
  traffic.add(4, 4, 2000);
  traffic.runUntil(never);
  std::vector<std::pair<uint64_t, uint32_t>> result;
  for (const Arrival &arrival : traffic.arrivals)
    result.emplace_back(arrival.time, arrival.source);
  return result;
}

// At cycles 3, 5, 7, 9, 11 it is the turn of the inputs 3, 0, 2, 4, 1 of:
// local, from the south, the north, the east, the west. A cycle later it is the
// next one's.
TEST(FlitMesh, TheTurnMayGoRoundByTheClock) {
  using Order = std::vector<std::pair<uint64_t, uint32_t>>;
  EXPECT_EQ(fiveForOne(1000),
            (Order{{4000, 5}, {6000, 4}, {8000, 1}, {10000, 3}, {12000, 7}}));
  EXPECT_EQ(fiveForOne(3000).front(), (std::pair<uint64_t, uint32_t>(4000, 7)));
  EXPECT_EQ(fiveForOne(3001).front(), (std::pair<uint64_t, uint32_t>(4000, 4)));
}

TEST(FlitMesh, ElseItIsThatOfTheInputBehindTheLastOne) {
  using Order = std::vector<std::pair<uint64_t, uint32_t>>;
  EXPECT_EQ(fiveForOne(0),
            (Order{{4000, 7}, {6000, 1}, {8000, 3}, {10000, 5}, {12000, 4}}));
}

// Two flits of tile 0 leave its local buffer in turn, to the east and to the
// south: a cycle apart where the turn goes round by the clock, an interval
// apart where it does not. An output passes one per interval in either case.
TEST(FlitMesh, ABufferMayFeedAnotherOutputInTheNextTurn) {
  NocTiming noc = clockedMesh(16);
  for (PortTiming *port :
       {&noc.north, &noc.south, &noc.east, &noc.west, &noc.local})
    port->forward = port->credit = port->interval = 2000;
  noc.local.forward = 0;
  auto second = [&](uint64_t turn, uint32_t destination) {
    noc.turn = turn;
    Traffic traffic(noc, 3, 3);
    traffic.add(0, 1, 0);
    traffic.add(0, destination, 0);
    traffic.runUntil(never);
    return traffic.arrivals.back().time;
  };
  // Handed over at 1000, granted at 1000 and 3000; 2000 to the neighbour, 1000
  // to its core. The second is granted at 2000 or 3000.
  EXPECT_EQ(second(1000, 3), 5000u);
  EXPECT_EQ(second(0, 3), 6000u);
  EXPECT_EQ(second(1000, 1), 6000u);
}

/// Who arrives when, from `start` on, of a mesh that is as empty as a new one.
std::vector<Arrival> fromStart(Traffic &traffic, uint64_t start) {
  std::mt19937 random(7);
  const uint32_t count = traffic.endpoints.size();
  traffic.arrivals.clear();
  for (uint64_t message = 0; message < 301; ++message)
    traffic.add(random() % count, random() % count, start + message * 400);
  traffic.runUntil(never);
  const uint64_t first =
      std::min_element(traffic.arrivals.begin(), traffic.arrivals.end(),
                       [](const Arrival &a, const Arrival &b) {
                         return a.message < b.message;
                       })
          ->message;
  for (Arrival &arrival : traffic.arrivals) {
    arrival.message -= first;
    arrival.time -= start;
  }
  return traffic.arrivals;
}

// Else samples of a run would depend on those before them.
TEST(FlitMesh, RestartLeavesNothingOfWhatWasBefore) {
  NocTiming byClock = clockedMesh(2);
  byClock.turn = 3000;
  uint64_t differ = 0;
  for (const NocTiming &noc : {clockedMesh(1), selfTimedMesh(2), byClock})
    for (uint32_t slots : {1u, CreditBuffer::unlimited}) {
      Traffic traffic(noc, 3, 2, slots, /*perTile=*/3);
      traffic.service = 1700;
      const std::vector<Arrival> fresh = fromStart(traffic, 0);
      for (int again = 0; again < 3; ++again) {
        const uint64_t start = traffic.mesh.beginFrom(traffic.mesh.now() + 1);
        EXPECT_GT(start, traffic.mesh.now());
        traffic.mesh.restart();
        EXPECT_TRUE(fromStart(traffic, start) == fresh);
        // Where nobody says so, everything goes on from where it was.
        differ += fromStart(traffic, traffic.mesh.now() + 1) != fresh;
      }
    }
  EXPECT_GT(differ, 0u);
}

// Tile after tile through windows of time, or all tiles instant by instant.
TEST(FlitMesh, TilesMayRunAheadOfEachOther) {
  NocTiming mixed = selfTimedMesh(2); // vertical links are fast, slots slow
  mixed.north.forward = mixed.south.forward = 700;
  mixed.east.credit = 9000;
  mixed.local.inject = mixed.local.credit = 0;
  for (const NocTiming &noc : {clockedMesh(1), selfTimedMesh(3), mixed})
    for (uint32_t slots : {1u, 4u, CreditBuffer::unlimited}) {
      std::vector<Arrival> both[2];
      std::vector<uint64_t> links[2];
      for (bool ahead : {false, true}) {
        Traffic traffic(noc, 4, 3, slots, /*perTile=*/2);
        traffic.service = 900;
        addBernoulli(traffic, 24, 0.4, 300, 5,
                     [](uint32_t, auto &random) { return random() % 24; });
        if (ahead)
          traffic.mesh.advanceUntil(never);
        else
          traffic.runUntil(never);
        EXPECT_TRUE(traffic.mesh.idle());
        std::sort(traffic.arrivals.begin(), traffic.arrivals.end(),
                  [](const Arrival &a, const Arrival &b) {
                    return a.message < b.message;
                  });
        both[ahead] = traffic.arrivals;
        for (uint32_t tile = 0; tile < 12; ++tile)
          for (uint32_t port = 0; port < FlitMesh::NumPorts; ++port) {
            const FlitMesh::Link &link =
                traffic.mesh.link(tile, FlitMesh::Port(port));
            links[ahead].push_back(link.flits);
            links[ahead].push_back(link.waited);
          }
      }
      EXPECT_FALSE(both[0].empty());
      EXPECT_EQ(both[0], both[1]);
      EXPECT_EQ(links[0], links[1]);
    }
}

// More tiles than take their moves together, one after the other or not, with
// and without what this processor can do beyond others.
TEST(FlitMesh, AFewTilesMoveAsManyDo) {
  struct Choice {
    uint32_t fewTiles;
    bool anyProcessor;
  };
  for (const NocTiming &noc : {clockedMesh(4), selfTimedMesh(3)})
    for (uint32_t slots : {2u, CreditBuffer::unlimited}) {
      std::vector<std::vector<Arrival>> arrivals;
      std::vector<std::vector<uint64_t>> links;
      for (Choice choice :
           {Choice{UINT32_MAX, false}, Choice{0, false}, Choice{0, true},
            Choice{FlitMesh::usuallyFew, false}}) {
        Traffic traffic(noc, 11, 9, slots);
        traffic.mesh.fewTiles = choice.fewTiles;
        traffic.mesh.anyProcessor = choice.anyProcessor;
        traffic.service = 900;
        addBernoulli(traffic, 99, 0.2, 200, 8,
                     [](uint32_t, auto &random) { return random() % 99; });
        traffic.mesh.advanceUntil(never);
        EXPECT_TRUE(traffic.mesh.idle());
        // Each endpoint hears what it gets in order of time.
        std::stable_sort(traffic.arrivals.begin(), traffic.arrivals.end(),
                         [](const Arrival &a, const Arrival &b) {
                           return a.destination < b.destination;
                         });
        arrivals.push_back(traffic.arrivals);
        links.emplace_back();
        for (uint32_t tile = 0; tile < 99; ++tile)
          for (uint32_t port = 0; port < FlitMesh::NumPorts; ++port) {
            const FlitMesh::Link &link =
                traffic.mesh.link(tile, FlitMesh::Port(port));
            links.back().push_back(link.flits);
            links.back().push_back(link.waited);
          }
        EXPECT_GT(arrivals[0].size(), 3000u);
        EXPECT_EQ(arrivals.back(), arrivals[0]);
        EXPECT_EQ(links.back(), links[0]);
      }
    }
}

// Nobody has to pay for what nobody reads.
TEST(FlitMesh, HopsAreCountedWhereTheyAreWanted) {
  for (bool wanted : {true, false}) {
    Traffic traffic(clockedMesh(4), 3, 3);
    traffic.mesh.countHops(wanted);
    traffic.add(0, 7, 0);
    traffic.runUntil(never);
    EXPECT_EQ(traffic.hopsEw, wanted ? 1u : 0u);
    EXPECT_EQ(traffic.hopsNs, wanted ? 2u : 0u);
    EXPECT_EQ(traffic.mesh.link(0, FlitMesh::East).flits, 1u);
  }
}

TEST(FlitMesh, EverythingHappensOnTheGrid) {
  NocTiming noc = clockedMesh(2);
  noc.grid = 1000;
  noc.east.forward = 2500; // rounded up
  Traffic traffic(noc, 2, 1);
  traffic.add(0, 1, 1); // taken at 1000
  traffic.runUntil(never);
  ASSERT_EQ(traffic.arrivals.size(), 1u);
  EXPECT_EQ(traffic.acceptedAt[0].second, 1000u);
  EXPECT_EQ(traffic.arrivals[0].time, 1000u + 1000 + 3000 + 3000 + 1000);
}

TEST(FlitMesh, PortsPassOneFlitPerInterval) {
  NocTiming noc = selfTimedMesh(16);
  Traffic traffic(noc, 2, 1);
  for (int i = 0; i < 4; ++i)
    traffic.add(0, 1, 0);
  traffic.runUntil(never);
  ASSERT_EQ(traffic.arrivals.size(), 4u);
  for (uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(traffic.acceptedAt[i].second, 582 * i);
    EXPECT_EQ(traffic.arrivals[i].time, 582 * i + 1050 + 4100 + 1050);
  }
}

// One slot in the router's local buffer, taken as the flit passes the port at
// inject and freed as it leaves the buffer at inject + forward; the next flit
// passes the port `credit` after that: forward + credit behind the first.
TEST(FlitMesh, InjectionWaitsForItsCredit) {
  NocTiming noc = selfTimedMesh(1);
  noc.local.inject = 100;
  noc.local.forward = 30;
  noc.local.credit = 5000;
  Traffic traffic(noc, 2, 1);
  traffic.add(0, 1, 0);
  traffic.add(0, 1, 0);
  traffic.runUntil(5030);
  EXPECT_EQ(traffic.acceptedAt.size(), 1u);
  traffic.runUntil(5031);
  ASSERT_EQ(traffic.acceptedAt.size(), 2u);
  EXPECT_EQ(traffic.acceptedAt[1].second, 5030u);
}

// Somebody else's offer for later does not hold up who waits for the slot.
TEST(FlitMesh, WhoWaitsForACreditIsNotForgottenForALaterOffer) {
  NocTiming noc = selfTimedMesh(1);
  noc.local.inject = 100;
  noc.local.forward = 30;
  noc.local.credit = 5000;
  Traffic traffic(noc, 2, 1, CreditBuffer::unlimited, /*perTile=*/2);
  traffic.add(0, 2, 0);
  traffic.add(0, 2, 0);
  traffic.runUntil(50);
  traffic.add(1, 2, 100000);
  traffic.runUntil(never);
  ASSERT_EQ(traffic.acceptedAt.size(), 3u);
  EXPECT_EQ(traffic.acceptedAt[1].second, 5030u);
  EXPECT_EQ(traffic.acceptedAt[2].second, 100000u);
}

// A credit that returns faster than flits travel to the port is not usable
// before its slot is free.
TEST(FlitMesh, InjectionNeverUsesASlotBeforeItIsFree) {
  NocTiming noc = selfTimedMesh(1);
  noc.local.inject = 1000;
  noc.local.credit = 0;
  noc.local.interval = 1;
  Traffic traffic(noc, 2, 1);
  traffic.add(0, 1, 0);
  traffic.add(0, 1, 0);
  traffic.runUntil(never);
  EXPECT_EQ(traffic.acceptedAt[1].second, 1000u);
}

// A full receive queue holds the flit in its router: blocked at t - 1, sent at
// t, when the slot may be used again.
TEST(FlitMesh, FullReceiveQueueHoldsTheFlit) {
  NocTiming noc = selfTimedMesh(4);
  noc.local.inject = 100;
  noc.local.eject = 200;
  noc.local.credit = 50;
  Traffic traffic(noc, 1, 1, /*slots=*/1);
  traffic.service = 10000;
  traffic.add(0, 0, 0);
  traffic.add(0, 0, 0);
  // First: in its queue at 300, slot free at 10300, usable at 10350; the
  // second leaves its router then and is there 200 later.
  traffic.runUntil(10350);
  EXPECT_EQ(traffic.mesh.link(0, FlitMesh::Local).flits, 1u);
  traffic.runUntil(10351);
  EXPECT_EQ(traffic.mesh.link(0, FlitMesh::Local).flits, 2u);
  traffic.runUntil(never);
  ASSERT_EQ(traffic.arrivals.size(), 2u);
  EXPECT_EQ(traffic.arrivals[0].time, 300u);
  EXPECT_EQ(traffic.arrivals[1].time, 10550u);
  // The second reached its router at 582 + 100.
  EXPECT_EQ(traffic.mesh.link(0, FlitMesh::Local).waited, 10350u - 682);
}

TEST(FlitMesh, BackPressureReachesTheSource) {
  // Slots on the way from (0,0) to (2,0): local buffer 1, two routers with one
  // each, queue 1. The fifth flit cannot leave its core.
  NocTiming noc = selfTimedMesh(1);
  Traffic traffic(noc, 3, 1, /*slots=*/1);
  traffic.service = never;
  for (int i = 0; i < 6; ++i)
    traffic.add(0, 2, 0);
  traffic.runUntil(never);
  EXPECT_EQ(traffic.arrivals.size(), 1u);
  EXPECT_EQ(traffic.acceptedAt.size(), 4u);
  EXPECT_EQ(traffic.mesh.inFlight(), 3u);
  // Nothing will ever happen again: the report names the first place.
  EXPECT_EQ(traffic.mesh.nextTime(), never);
  EXPECT_EQ(traffic.mesh.whatWaits(endpointName),
            "router (0, 0), local buffer: 1 flits wait for the east port, the "
            "first from endpoint 0 to endpoint 2");
  // One slot freed moves all of them by one place.
  traffic.mesh.release(2, traffic.mesh.now());
  traffic.runUntil(never);
  EXPECT_EQ(traffic.arrivals.size(), 2u);
  EXPECT_EQ(traffic.acceptedAt.size(), 5u);
}

TEST(FlitMesh, FullQueueOfOneCoreDoesNotStopItsNeighbour) {
  NocTiming noc = selfTimedMesh(1);
  Traffic traffic(noc, 2, 1, /*slots=*/1, /*perTile=*/2);
  traffic.service = never;
  traffic.add(0, 2, 0);
  traffic.add(0, 2, 0);      // stays in router 1, east buffer
  traffic.add(3, 3, 100000); // same local port, another core
  traffic.runUntil(never);
  ASSERT_EQ(traffic.arrivals.size(), 2u);
  EXPECT_EQ(traffic.arrivals[1].destination, 3u);
}

// A buffer is read once per interval, also when several flits have gathered in
// it and leave by different ports.
TEST(FlitMesh, BufferIsReadOncePerInterval) {
  Traffic traffic(selfTimedMesh(4), 3, 1, /*slots=*/1);
  traffic.service = 10000;
  traffic.add(0, 1, 0); // in the queue of core 1 at 1050 + 4100 + 1050
  traffic.add(0, 1, 0); // waits for it: 6200 + 10000, back 3000 later
  traffic.add(0, 2, 0); // behind it, to a port that is free
  traffic.runUntil(never);
  ASSERT_EQ(traffic.arrivals.size(), 3u);
  EXPECT_EQ(traffic.arrivals[1].time, 19200u + 1050);
  EXPECT_EQ(traffic.arrivals[2].time, 19200u + 582 + 4100 + 1050);
}

TEST(FlitMesh, CoresOfATileTakeTurns) {
  NocTiming noc = selfTimedMesh(16);
  Traffic traffic(noc, 1, 1, CreditBuffer::unlimited, /*perTile=*/3);
  for (int i = 0; i < 2; ++i)
    for (uint32_t core = 0; core < 3; ++core)
      traffic.add(core, 0, 0);
  traffic.runUntil(never);
  std::vector<std::pair<uint32_t, uint64_t>> expected;
  for (uint64_t i = 0; i < 6; ++i)
    expected.push_back({uint32_t(i % 3), 582 * i});
  EXPECT_EQ(traffic.acceptedAt, expected);
}

// The straight flow and the two that turn meet at one port and share it
// equally, in order of port.
TEST(FlitMesh, OutputPortsServeTheirInputsInTurn) {
  NocTiming noc = clockedMesh(16);
  Traffic traffic(noc, 3, 1);
  for (int i = 0; i < 50; ++i) {
    traffic.add(0, 2, 0);
    traffic.add(1, 2, 0);
  }
  traffic.runUntil(never);
  ASSERT_EQ(traffic.arrivals.size(), 100u);
  uint64_t fromFirst = 0;
  for (int i = 10; i < 90; ++i)
    fromFirst += traffic.arrivals[i].source == 0;
  EXPECT_NEAR(double(fromFirst), 40, 2);
}

// Two cores on each of two tiles. The link between them has one input, and so
// no turn that shows.
TEST(FlitMesh, TurnsAreEqualWhereNoFlitCouldTell) {
  Traffic sent(selfTimedMesh(16), 2, 1, CreditBuffer::unlimited,
               /*perTile=*/2);
  const std::vector<uint32_t> fresh = sent.mesh.turns();
  sent.add(0, 3, 0);
  sent.runUntil(never);
  std::vector<uint32_t> after = sent.mesh.turns();
  EXPECT_NE(after, fresh);
  const size_t injection = FlitMesh::NumPorts; // of the first tile
  EXPECT_EQ(after[FlitMesh::East], fresh[FlitMesh::East]);
  EXPECT_EQ(after[injection], 1u);

  Traffic seen(selfTimedMesh(16), 2, 1, CreditBuffer::unlimited, 2);
  seen.mesh.turnBehind(0);
  EXPECT_EQ(seen.mesh.turns()[injection], 1u);
  seen.mesh.turnBehind(1);
  EXPECT_EQ(seen.mesh.turns(), fresh);

  // From the end of the line on it is the first one's turn again.
  sent.add(1, 3, 1000000);
  sent.runUntil(never);
  EXPECT_EQ(sent.mesh.turns()[injection], 0u);
  sent.mesh.restart();
  EXPECT_EQ(sent.mesh.turns(), fresh);
}

TEST(FlitMesh, LargeTimesAreRefusedInsteadOfWrapping) {
  NocTiming noc = selfTimedMesh(1);
  noc.local.inject = never - 10;
  Traffic traffic(noc, 1, 1);
  traffic.add(0, 0, 100);
  EXPECT_THROW(traffic.runUntil(never), std::runtime_error);
}

} // namespace
} // namespace dendrolith::test
