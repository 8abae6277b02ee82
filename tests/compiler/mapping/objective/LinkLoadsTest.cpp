// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compiler/mapping/objective/: loads of links, by direction and step.

#include "compiler/mapping/objective/LinkLoads.h"

#include "targets/loader/Target.h"

#include <gtest/gtest.h>

using namespace dendrolith;

namespace {

TEST(LinkLoads, AreThoseOfTheRoute) {
  const Target target = Target::load("loihi1");
  LinkLoads links(target.mesh, 2);
  const float messages[] = {4, 2}, more[] = {0, 10};
  links.add(0, 9, messages, 1); // east, then south
  links.add(0, 1, more, 0.5);   // east
  const std::vector<LinkLoad> found = links.list();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].link.from, 0u);
  EXPECT_EQ(found[0].link.to, 1u);
  EXPECT_EQ(found[0].link.direction, Direction::East);
  EXPECT_DOUBLE_EQ(found[0].messages, (4 + 2 + 5) / 2.0);
  EXPECT_EQ(found[1].link.from, 1u);
  EXPECT_EQ(found[1].link.to, 9u);
  EXPECT_EQ(found[1].link.direction, Direction::South);
  EXPECT_DOUBLE_EQ(links.busiest(), 5.5);
}

TEST(LinkLoads, ALinkTakesItsIntervalForEachFlit) {
  const Target target = Target::load("loihi1");
  const NocTiming noc = target.timing("davies2018").noc;
  LinkLoads links(target.mesh, 2);
  const float messages[] = {4, 2};
  links.add(0, 1, messages, 1);
  const std::vector<double> times = links.times(noc);
  EXPECT_DOUBLE_EQ(times[0], 4 * double(noc.east.interval));
  EXPECT_DOUBLE_EQ(times[1], 2 * double(noc.east.interval));
}

} // namespace
