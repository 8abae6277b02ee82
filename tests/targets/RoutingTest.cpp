// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways over the mesh and sizes of messages (targets/loader/Routing.cpp and
// Payload.cpp).

#include "targets/loader/Routing.h"
#include "targets/loader/Payload.h"

#include <gtest/gtest.h>

#include <limits>

using namespace neurite;

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
