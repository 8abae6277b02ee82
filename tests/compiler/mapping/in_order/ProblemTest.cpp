// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/mapping/in_order/Solver.cpp,
// compiler/mapping/result/RoutingProblem.cpp,
// compiler/mapping/in_order/LocalSearch.cpp.
// The three problems by hand: known optima, and verify() against solutions
// that are wrong.

#include "compiler/mapping/in_order/BaselineSolvers.h"
#include "compiler/mapping/in_order/DefaultSolver.h"
#include "tests/compiler/mapping/Networks.h"

#include "compiler/mapping/in_order/LocalSearch.h"
#include "compiler/mapping/in_order/Solver.h"
#include "compiler/mapping/result/RoutingProblem.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

/// Slices of one neuron each, no work.
SliceGraph slicesOf(uint32_t n) {
  SliceGraph graph;
  for (uint32_t s = 0; s < n; ++s) {
    graph.slices.push_back({0, s, 1});
    Demand one;
    one.sums[NeuronSlots] = 1;
    graph.demand.push_back(one);
  }
  graph.work.assign(n, 0);
  graph.toHost.assign(n, 0);
  return graph;
}

void addNet(SliceGraph &graph, uint32_t source, double rate,
            std::vector<uint32_t> pins) {
  Net net;
  net.source = source;
  net.rate = rate;
  for (uint32_t pin : pins)
    net.pins.push_back({pin, 1});
  graph.nets.push_back(net);
}

Capacity slots(uint64_t n) {
  Capacity capacity;
  capacity.of[NeuronSlots] = n;
  return capacity;
}

/// Even slices among themselves, odd ones likewise, one thin bridge.
SliceGraph twoCliques(uint32_t each) {
  SliceGraph graph = slicesOf(2 * each);
  for (uint32_t s = 0; s < 2 * each; ++s) {
    std::vector<uint32_t> pins;
    for (uint32_t t = s % 2; t < 2 * each; t += 2)
      if (t != s)
        pins.push_back(t);
    addNet(graph, s, 1, pins);
  }
  addNet(graph, 0, 0.25, {1});
  return graph;
}

TEST(Partition, TwoCliquesComeApart) {
  for (uint32_t each : {2u, 5u, 16u}) {
    SliceGraph graph = twoCliques(each);
    PartitionProblem problem(graph, slots(each), 2);
    EXPECT_FALSE(problem.check());
    auto solution = DefaultSolver().partition(problem);
    ASSERT_TRUE(solution);
    problem.verify(*solution);
    EXPECT_DOUBLE_EQ(problem.cost(*solution), 0.25);
    // In turn is the optimum here, so spoil it: halves by number.
    PartitionProblem::Solution halves;
    for (uint32_t s = 0; s < 2 * each; ++s)
      halves.push_back(s < each ? 0 : 1);
    EXPECT_GT(problem.cost(halves), 0.25);
  }
}

TEST(Partition, SearchRepairsAWrongHalf) {
  uint32_t each = 6;
  SearchProblem search;
  std::map<std::pair<uint32_t, uint32_t>, double> traffic;
  for (uint32_t a = 0; a < 2 * each; ++a)
    for (uint32_t b = a + 2; b < 2 * each; b += 2)
      traffic[{a, b}] = 1;
  traffic[{0, 1}] = 0.25;
  search.setTraffic(2 * each, traffic);
  search.anchor.assign(2 * each, 0);
  search.work.assign(2 * each, 0);
  Demand one;
  one.sums[NeuronSlots] = 1;
  search.demand.assign(2 * each, one);
  search.capacity = slots(each);
  search.numPlaces = 2;
  std::vector<uint32_t> halves(2 * each);
  for (uint32_t s = 0; s < 2 * each; ++s)
    halves[s] = s < each ? 0 : 1;
  LocalSearch local(search, halves, 1000000);
  EXPECT_GT(local.cost(), 1);
  local.climb();
  local.escape();
  EXPECT_DOUBLE_EQ(local.cost(), 0.25);
}

TEST(Partition, WorkSpreadsWhatTrafficDoesNotHold) {
  SliceGraph graph = slicesOf(4);
  graph.work = {10, 10, 10, 10};
  addNet(graph, 0, 3, {1});
  addNet(graph, 2, 30, {3});
  PartitionProblem problem(graph, slots(4), 4);
  auto solution = DefaultSolver().partition(problem);
  ASSERT_TRUE(solution);
  // 2 and 3 together cost 20 of work instead of 30 of traffic; then 0 and 1
  // may as well share a core too.
  EXPECT_DOUBLE_EQ(problem.cost(*solution), 20);
}

TEST(Partition, VerifyRefuses) {
  SliceGraph graph = twoCliques(3);
  PartitionProblem problem(graph, slots(3), 2);
  EXPECT_NO_THROW(problem.verify({0, 1, 0, 1, 0, 1}));
  EXPECT_HAS(errorOf([&] { problem.verify({0, 1, 0, 1, 0}); }),
             "expected a core for each of 6 slices, found 5");
  EXPECT_HAS(errorOf([&] { problem.verify({0, 1, 0, 1, 0, 2}); }),
             "slice 5 is on core 2 of 2");
  EXPECT_HAS(errorOf([&] { problem.verify({0, 1, 0, 1, 0, 0}); }),
             "core 0 needs 4 neurons, it has 3");
}

TEST(Partition, CheckRefuses) {
  const SliceGraph graph = twoCliques(3);
  auto inSum = PartitionProblem(graph, slots(2), 2).check();
  ASSERT_TRUE(inSum);
  EXPECT_HAS(inSum->message, "the slices need 6 neurons, 2 cores have 2 each");
  auto alone = PartitionProblem(graph, slots(0), 9).check();
  ASSERT_TRUE(alone);
  EXPECT_HAS(alone->message, "slice 0 needs 1 neurons, a core has 0");
  // A problem without cores is no question that "it does not fit" answers.
  EXPECT_HAS(errorOf([&] {
               EXPECT_FALSE(PartitionProblem(graph, slots(9), 0).check());
             }),
             "expected at least one core");
}

std::vector<TileXY> line(uint64_t n) {
  std::vector<TileXY> positions;
  for (uint64_t x = 0; x < n; ++x)
    positions.push_back({x, 0});
  return positions;
}

TEST(Placement, AShuffledChainLiesInALine) {
  // 0-4-2-5-1-3, the first bound to the host: only in order is each one hop.
  std::vector<uint32_t> chain = {0, 4, 2, 5, 1, 3};
  SliceGraph graph = slicesOf(6);
  for (size_t i = 0; i + 1 < chain.size(); ++i)
    addNet(graph, chain[i], 1, {chain[i + 1]});
  addNet(graph, host, 10, {0});
  PartitionProblem::Solution own = {0, 1, 2, 3, 4, 5};
  PlacementProblem problem(graph, own, 6, line(6));
  problem.check();
  PlacementProblem::Solution solution = DefaultSolver().place(problem);
  problem.verify(solution);
  EXPECT_DOUBLE_EQ(problem.cost(solution), 5);
  EXPECT_GT(problem.cost(RoundRobinSolver().place(problem)), 5);
}

// Chips of eight cores in a row, 12 hops apart; no traffic may cross but that
// of the bridge, in whatever order the cores are given.
TEST(Placement, CliquesGetAChipEach) {
  PartitionProblem::Solution own(16);
  std::iota(own.begin(), own.end(), 0);
  std::vector<TileXY> positions = line(16);
  for (uint32_t p = 8; p < 16; ++p)
    positions[p].x += 12;
  PlacementProblem problem(twoCliques(8), own, 16, positions);
  problem.perChip = 8;
  PlacementProblem::Solution solution = DefaultSolver().place(problem);
  problem.verify(solution);
  for (uint32_t core = 0; core < 16; ++core)
    EXPECT_EQ(solution[core] / 8, solution[core % 2] / 8) << core;
  EXPECT_NE(solution[0] / 8, solution[1] / 8);
}

TEST(Placement, VerifyRefuses) {
  PlacementProblem problem(slicesOf(2), {0, 1}, 2, line(3));
  EXPECT_NO_THROW(problem.verify({2, 0}));
  EXPECT_HAS(errorOf([&] { problem.verify({1, 1}); }),
             "two cores are on position 1");
  EXPECT_HAS(errorOf([&] { problem.verify({0, 3}); }),
             "core 1 is on position 3 of 3");
  EXPECT_HAS(errorOf([&] { problem.verify({0}); }),
             "expected positions of 2 cores, found 1");
  EXPECT_HAS(errorOf([] {
               PlacementProblem(slicesOf(2), {0, 1}, 2, line(1)).check();
             }),
             "2 cores, but 1 positions");
}

TEST(Routing, XFirstLoadsByHand) {
  Mesh mesh;
  mesh.tilesX = 3;
  mesh.tilesY = 2;
  // 0 -> 5 runs east over 0 and 1, then south from 2; 2 -> 0 runs west.
  RoutingProblem problem(mesh, {{0, 5, 2}, {2, 0, 3}, {4, 4, 7}});
  problem.check();
  RoutingProblem::Solution routes = problem.solve();
  problem.verify(routes);
  auto load = [&](uint32_t tile, Direction d) {
    return routes.load[RoutingProblem::indexOf(tile, d)];
  };
  EXPECT_EQ(load(0, Direction::East), 2);
  EXPECT_EQ(load(1, Direction::East), 2);
  EXPECT_EQ(load(2, Direction::South), 2);
  EXPECT_EQ(load(2, Direction::West), 3);
  EXPECT_EQ(load(1, Direction::West), 3);
  EXPECT_EQ(problem.hops(), 2 * 3 + 3 * 2);
  EXPECT_EQ(RoutingProblem::maxLoad(routes), 3);
}

// Random trees beside random flows, against the routes to each destination with
// each link once.
TEST(Routing, TreesLoadTheUnionOfTheirRoutes) {
  std::mt19937 random(3);
  for (int network = 0; network < 100; ++network) {
    Mesh mesh;
    mesh.tilesX = 1 + random() % 5;
    mesh.tilesY = 2 + random() % 4;
    auto tile = [&] { return uint32_t(random() % mesh.tiles()); };
    std::vector<RoutingProblem::Flow> flows = {{tile(), tile(), 0.25}};
    std::vector<RoutingProblem::Tree> trees;
    std::vector<double> load(mesh.tiles() * RoutingProblem::numDirections);
    forEachLink(mesh, flows[0].from, flows[0].to, [&](const MeshLink &link) {
      load[RoutingProblem::indexOf(link.from, link.direction)] += 0.25;
    });
    for (uint32_t t = 0; t < 4; ++t) {
      RoutingProblem::Tree tree{tile(), {}, 0.5 + t};
      std::set<uint64_t> links;
      for (uint32_t i = 1 + random() % 5; i > 0; --i) {
        tree.to.push_back(tile());
        forEachLink(mesh, tree.from, tree.to.back(), [&](const MeshLink &link) {
          links.insert(RoutingProblem::indexOf(link.from, link.direction));
        });
      }
      for (uint64_t link : links)
        load[link] += tree.messages;
      trees.push_back(std::move(tree));
    }
    const RoutingProblem problem(mesh, flows, trees);
    problem.check();
    RoutingProblem::Solution routes = problem.solve();
    EXPECT_EQ(routes.load, load);
    problem.verify(routes);
    EXPECT_DOUBLE_EQ(problem.hops(),
                     std::accumulate(load.begin(), load.end(), 0.0));
    // A link that is lost, or loaded for each destination, is found.
    auto found = std::find_if(routes.load.begin(), routes.load.end(),
                              [](double messages) { return messages > 0; });
    if (found == routes.load.end())
      continue;
    *found += 1;
    EXPECT_HAS(errorOf([&] { problem.verify(routes); }), "messages per tick");
    *found = 0;
    EXPECT_HAS(errorOf([&] { problem.verify(routes); }), "messages per tick");
  }
}

// A source on core 0 sends to cores 1 and 2 of a row, the input to both.
TEST(Routing, NetsAreTreesWithMulticast) {
  SliceGraph graph;
  graph.slices = {{0, 0, 1}, {0, 1, 1}, {0, 2, 1}};
  graph.toHost = {0, 0, 2};
  graph.nets = {{0, 1.5, {{1, 2}, {2, 1}}},
                {0, 0.5, {{1, 1}, {2, 1}}},
                {host, 4, {{1, 1}, {2, 1}}}};
  Target target;
  target.mesh.tilesX = 3;
  for (bool multicast : {false, true}) {
    target.mesh.multicast = multicast;
    const RoutingProblem problem(target, graph, {0, 1, 2});
    problem.check();
    const RoutingProblem::Solution routes = problem.solve();
    problem.verify(routes);
    // Nets with the same source and tiles are one tree.
    EXPECT_EQ(problem.trees.size(), multicast ? 1u : 0u);
    EXPECT_EQ(routes.load[RoutingProblem::indexOf(0, Direction::East)],
              multicast ? 1.5 + 0.5 + 4 : 3 * 1.5 + 2 * 0.5 + 2 * 4);
    EXPECT_EQ(routes.load[RoutingProblem::indexOf(1, Direction::East)],
              1.5 + 0.5 + 4);
    EXPECT_EQ(problem.hops(), multicast ? 2 * 6 + 2 * 2 : 13.5 + 6 + 2 * 2);
  }
}

TEST(Routing, VerifyAndCheckRefuse) {
  Mesh mesh;
  mesh.tilesX = mesh.tilesY = 2;
  RoutingProblem problem(mesh, {{0, 3, 1}});
  RoutingProblem::Solution routes = problem.solve();
  RoutingProblem::Solution lost = routes;
  lost.load[RoutingProblem::indexOf(1, Direction::South)] = 0;
  EXPECT_HAS(errorOf([&] { problem.verify(lost); }), "messages per tick");
  RoutingProblem::Solution off = routes;
  off.load[RoutingProblem::indexOf(1, Direction::East)] = 1;
  EXPECT_HAS(errorOf([&] { problem.verify(off); }), "link 0 of tile 1 carries");
  // A detour that keeps the balance is still too long.
  RoutingProblem::Solution loop = routes;
  loop.load[RoutingProblem::indexOf(0, Direction::East)] += 1;
  loop.load[RoutingProblem::indexOf(1, Direction::West)] += 1;
  EXPECT_HAS(errorOf([&] { problem.verify(loop); }), "link traversals");
  EXPECT_HAS(errorOf([&] { RoutingProblem(mesh, {{0, 4, 1}}).check(); }),
             "the mesh has 4 tiles");
  EXPECT_HAS(errorOf([&] { RoutingProblem(mesh, {{0, 1, -1}}).check(); }),
             "found -1");
}

/// Costs that are kept until something moves are those that are looked up: at
/// the end no move and no swap helps, by sums from the beginning.
TEST(LocalSearch, EndsWhereNothingHelps) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    constexpr uint32_t kItems = 14, kPlaces = 9;
    SearchProblem search;
    search.numPlaces = kPlaces;
    for (uint32_t p = 0; p < kPlaces; ++p)
      search.position.push_back({p % 3, p / 3});
    std::map<std::pair<uint32_t, uint32_t>, double> traffic;
    for (uint32_t i = 0; i < 4 * kItems; ++i)
      traffic[{random() % kItems, random() % kItems}] = double(random() % 100);
    search.setTraffic(kItems, traffic);
    std::vector<uint32_t> places;
    for (uint32_t item = 0; item < kItems; ++item) {
      search.anchor.push_back(double(random() % 10));
      search.work.push_back(double(random() % 50));
      places.push_back(random() % kPlaces);
    }
    search.demand.resize(kItems);
    LocalSearch local(search, places, 100000000);
    local.climb();
    local.escape();
    auto costOf = [&](std::vector<uint32_t> at) {
      return LocalSearch(search, std::move(at), 0).cost();
    };
    const std::vector<uint32_t> &best = local.places();
    EXPECT_DOUBLE_EQ(local.cost(), costOf(best));
    for (uint32_t item = 0; item < kItems; ++item) {
      std::vector<uint32_t> other = best;
      for (other[item] = 0; other[item] < kPlaces; ++other[item])
        EXPECT_GE(costOf(other), local.cost() - 1e-6);
      for (uint32_t with = 0; with < item; ++with) {
        other = best;
        std::swap(other[item], other[with]);
        EXPECT_GE(costOf(other), local.cost() - 1e-6);
      }
    }
  }
}

} // namespace
