// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/mesh/Flit.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace dendrolith::test {
namespace {

std::vector<uint32_t> portsOf(FlitRoute way) {
  const uint32_t flit = way.flit();
  std::vector<uint32_t> ports;
  for (; way.port() != FlitRoute::Local; way = way.behind()) {
    ports.push_back(way.port());
    EXPECT_EQ(way.flit(), flit);
  }
  EXPECT_EQ(way.flit(), flit);
  return ports;
}

std::vector<uint32_t> expected(int dx, int dy) {
  std::vector<uint32_t> ports(std::abs(dx),
                              dx < 0 ? FlitRoute::West : FlitRoute::East);
  ports.insert(ports.end(), std::abs(dy),
               dy < 0 ? FlitRoute::North : FlitRoute::South);
  return ports;
}

TEST(FlitRoute, LeadsAlongXAndThenAlongY) {
  for (int dx = -3; dx <= 3; ++dx)
    for (int dy = -3; dy <= 3; ++dy)
      EXPECT_EQ(portsOf(FlitRoute(7, dx, dy)), expected(dx, dy))
          << dx << ' ' << dy;
}

TEST(FlitRoute, HasPlaceForTheLargestBoardAndAllItsFlits) {
  const int most = FlitRoute::mostLinks;
  for (int dx : {-most, 0, most})
    for (int dy : {-most, 0, most})
      EXPECT_EQ(portsOf(FlitRoute(FlitRoute::mostFlits - 1, dx, dy)),
                expected(dx, dy));
}

} // namespace
} // namespace dendrolith::test
