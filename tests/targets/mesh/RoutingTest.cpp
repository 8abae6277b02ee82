// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways over the mesh and sizes of messages (targets/mesh/Routing.cpp,
// Routing.cpp and Payload.cpp).

#include "targets/mesh/Routing.h"
#include "targets/loader/chip/Sections.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <set>

using namespace dendrolith;

static Mesh meshOf(uint64_t tilesX, uint64_t tilesY) {
  Mesh mesh;
  mesh.tilesX = tilesX;
  mesh.tilesY = tilesY;
  return mesh;
}

TEST(Routing, RowsFirst) {
  using Links = std::vector<std::pair<uint32_t, uint32_t>>;
  // 0 1 2
  // 3 4 5
  const Mesh mesh = meshOf(3, 2);
  EXPECT_EQ(routeBetween(mesh, 0, 5), (Links{{0, 1}, {1, 2}, {2, 5}}));
  EXPECT_EQ(routeBetween(mesh, 5, 0), (Links{{5, 4}, {4, 3}, {3, 0}}));
  EXPECT_EQ(routeBetween(mesh, 4, 4), Links());
}

TEST(Routing, DirectionsOnNarrowMeshes) {
  // With one column the next tile lies south, with one row east.
  forEachLink(meshOf(1, 4), 0, 3, [](const MeshLink &link) {
    EXPECT_EQ(link.direction, Direction::South);
  });
  forEachLink(meshOf(4, 1), 0, 3, [](const MeshLink &link) {
    EXPECT_EQ(link.direction, Direction::East);
  });
  forEachLink(meshOf(1, 4), 3, 0, [](const MeshLink &link) {
    EXPECT_EQ(link.direction, Direction::North);
  });
}

TEST(Routing, RouteIsAsLongAsTheDistance) {
  const Mesh mesh = meshOf(4, 3);
  for (uint64_t from = 0; from < mesh.tiles(); ++from)
    for (uint64_t to = 0; to < mesh.tiles(); ++to) {
      const Hops hops = hopsBetween(mesh.at(from), mesh.at(to));
      EXPECT_EQ(routeBetween(mesh, from, to).size(), hops.total());
      EXPECT_EQ(mesh.tileAt(mesh.at(to)), to);
    }
}

// Chips of 2 x 2 tiles, 3 x 2 of them.
static Mesh boardOf(uint64_t chipsX, uint64_t chipsY) {
  Mesh mesh = meshOf(2 * chipsX, 2 * chipsY);
  mesh.chipsX = chipsX;
  mesh.chipsY = chipsY;
  return mesh;
}

TEST(Routing, ChipsAreNumberedBeforeTheirTiles) {
  //  0  1 |  4  5 |  8  9
  //  2  3 |  6  7 | 10 11
  // 12 13 | 16 17 | 20 21
  // 14 15 | 18 19 | 22 23
  const Mesh mesh = boardOf(3, 2);
  EXPECT_EQ(mesh.at(10).x, 4u);
  EXPECT_EQ(mesh.at(10).y, 1u);
  EXPECT_EQ(mesh.at(17).x, 3u);
  EXPECT_EQ(mesh.at(17).y, 2u);
  EXPECT_EQ(mesh.chipOf(17), 4u);
  using Links = std::vector<std::pair<uint32_t, uint32_t>>;
  EXPECT_EQ(routeBetween(mesh, 2, 18),
            (Links{{2, 3}, {3, 6}, {6, 16}, {16, 18}}));
  const Hops hops = hopsBetween(mesh, mesh.at(2), mesh.at(18));
  EXPECT_EQ(hops.ew, 1u);
  EXPECT_EQ(hops.ns, 1u);
  EXPECT_EQ(hops.crossings, 2u);
}

TEST(Routing, HopsAndCrossingsAreTheLinksOfTheRoute) {
  const Mesh mesh = boardOf(3, 2);
  for (uint64_t from = 0; from < mesh.tiles(); ++from) {
    EXPECT_EQ(mesh.tileAt(mesh.at(from)), from);
    RouteTree tree(mesh, from);
    std::set<std::pair<uint64_t, uint64_t>> all;
    for (uint64_t to = 0; to < mesh.tiles(); ++to) {
      Hops found;
      forEachLink(mesh, from, to, [&](const MeshLink &link) {
        const bool leaves = mesh.chipOf(link.from) != mesh.chipOf(link.to);
        EXPECT_EQ(leavesChip(mesh, mesh.at(link.from), link.direction), leaves);
        const bool inRow = link.direction == Direction::East ||
                           link.direction == Direction::West;
        ++(leaves ? found.crossings : inRow ? found.ew : found.ns);
      });
      const Hops hops = hopsBetween(mesh, mesh.at(from), mesh.at(to));
      EXPECT_EQ(hops.ew, found.ew);
      EXPECT_EQ(hops.ns, found.ns);
      EXPECT_EQ(hops.crossings, found.crossings);
      if (to % 3 == 0) {
        tree.add(to);
        for (const auto &link : routeBetween(mesh, from, to))
          all.insert(link);
      }
    }
    uint64_t crossings = 0;
    for (const auto &[a, b] : all)
      crossings += mesh.chipOf(a) != mesh.chipOf(b);
    EXPECT_EQ(tree.hops().crossings, crossings);
    EXPECT_EQ(tree.hops().total(), all.size());
  }
}

// Chips on the way between others are in use, too, and so is the host's.
TEST(Routing, ExtentHasTheChipsOnTheWay) {
  const Mesh mesh = boardOf(3, 2);
  Extent extent = extentOf(mesh, {0, 3});
  EXPECT_EQ(extent.tiles, 2u);
  EXPECT_EQ(extent.fullest, 2u);
  EXPECT_EQ(extent.chips, (std::set<uint64_t>{0}));
  extent = extentOf(mesh, {4, 5, 7, 8}); // chips 1 and 2, and the host's
  EXPECT_EQ(extent.fullest, 3u);
  EXPECT_EQ(extent.chips, (std::set<uint64_t>{0, 1, 2}));
  extent = extentOf(mesh, {16}); // chip 4: the way is one of two
  EXPECT_EQ(extent.chips, (std::set<uint64_t>{0, 1, 3, 4}));
  EXPECT_EQ(extentOf(mesh, {}).chips, (std::set<uint64_t>{0}));
}

TEST(Routing, TreeByHand) {
  // 0 1 2
  // 3 4 5
  const Mesh mesh = meshOf(3, 2);
  RouteTree tree(mesh, 1);
  EXPECT_EQ(tree.hops().total(), 0u);
  for (uint64_t tile : {0, 3, 5, 2, 1, 5})
    tree.add(tile);
  // West to 0 and south to 3; east to 2 and south to 5.
  EXPECT_EQ(tree.hops().ew, 2u);
  EXPECT_EQ(tree.hops().ns, 2u);
  std::set<std::pair<uint64_t, uint64_t>> links;
  tree.forEachLink(
      [&](const MeshLink &link) { links.insert({link.from, link.to}); });
  EXPECT_EQ(links, (std::set<std::pair<uint64_t, uint64_t>>{
                       {1, 0}, {0, 3}, {1, 2}, {2, 5}}));
}

TEST(Routing, TreeIsTheUnionOfTheRoutes) {
  std::mt19937 random(1);
  for (int network = 0; network < 300; ++network) {
    const Mesh mesh = meshOf(1 + random() % 6, 1 + random() % 6);
    const uint64_t from = random() % mesh.tiles();
    RouteTree tree(mesh, from);
    for (int again = 0; again < 3; ++again) {
      std::set<std::pair<uint32_t, uint32_t>> expected;
      Hops hops;
      for (uint32_t tiles = random() % 9; tiles > 0; --tiles) {
        const uint64_t to = random() % mesh.tiles();
        tree.add(to);
        forEachLink(mesh, from, to, [&](const MeshLink &link) {
          if (expected.emplace(link.from, link.to).second)
            ++(link.direction == Direction::East ||
                       link.direction == Direction::West
                   ? hops.ew
                   : hops.ns);
        });
      }
      EXPECT_EQ(tree.hops().ew, hops.ew);
      EXPECT_EQ(tree.hops().ns, hops.ns);
      std::map<std::pair<uint32_t, uint32_t>, int> links;
      tree.forEachLink(
          [&](const MeshLink &link) { ++links[{link.from, link.to}]; });
      EXPECT_EQ(links.size(), expected.size());
      for (const auto &[link, times] : links) {
        EXPECT_EQ(times, 1);
        EXPECT_EQ(expected.count(link), 1u);
      }
      tree.clear();
      EXPECT_EQ(tree.hops().total(), 0u);
    }
  }
}

TEST(Payload, BitsOfARange) {
  EXPECT_EQ(payloadBits(0, 0), 1u);
  EXPECT_EQ(payloadBits(0, 1), 1u);
  EXPECT_EQ(payloadBits(0, 255), 8u);
  EXPECT_EQ(payloadBits(0, 256), 9u);
  EXPECT_EQ(payloadBits(-1, 0), 1u);
  EXPECT_EQ(payloadBits(-1, 1), 2u);
  EXPECT_EQ(payloadBits(-128, 127), 8u);
  EXPECT_EQ(payloadBits(-129, 0), 9u);
  EXPECT_EQ(payloadBits(std::numeric_limits<int64_t>::min(), 0), 64u);
  EXPECT_EQ(payloadBits(0, std::numeric_limits<int64_t>::max()), 63u);
}

TEST(Payload, FlitsOfAMessage) {
  Mesh mesh;
  mesh.flitBits = 8;
  EXPECT_EQ(flitsOf(mesh, 0), 1u);
  EXPECT_EQ(flitsOf(mesh, 8), 1u);
  EXPECT_EQ(flitsOf(mesh, 9), 2u);
}
