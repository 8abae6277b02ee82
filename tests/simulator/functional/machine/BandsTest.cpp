// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which groups one visit updates. What it counts and records is tested in
// tests/simulator/timing/BandsTest.cpp.

#include "simulator/functional/machine/Bands.h"
#include "tests/simulator/ProgramBuilder.h"

#include <gtest/gtest.h>

namespace dendrolith::test {
namespace {

std::vector<std::pair<uint32_t, uint32_t>>
bandsOf(const image::Program &program, sim::CoreShare cores) {
  const sim::Machine machine(program);
  std::vector<std::pair<uint32_t, uint32_t>> found;
  for (const sim::Band &band : sim::findBands(machine, cores))
    found.push_back({band.firstGroup, band.groups});
  return found;
}

using Found = std::vector<std::pair<uint32_t, uint32_t>>;

TEST(Bands, NeighboursWithTheSameNeurons) {
  ProgramBuilder b(1, 2);
  b.population("a", 12, 0).population("b", 6, 1).binaryInput("in", 1, 0);
  for (uint32_t core = 0; core < 4; ++core) // the last one's neurons differ
    b.group(core, "a", 3 * (3 - core), 3, cuba(core < 3 ? 5 : 6));
  for (uint32_t core = 4; core < 6; ++core)
    b.group(core, "b", 3 * (core - 4), 3, cuba(6));
  const image::Program program = b.build();
  EXPECT_EQ(bandsOf(program, {0, 6}), (Found{{0, 3}, {4, 2}}));
  EXPECT_EQ(bandsOf(program, {1, 5}), (Found{{1, 2}}));
  const sim::Machine machine(program);
  const sim::Band band = sim::findBands(machine, {0, 6}).front();
  EXPECT_EQ(band.begins, (std::vector<uint32_t>{0, 3, 6, 9}));
  EXPECT_EQ(band.numbers, (std::vector<uint32_t>{9, 10, 11, 6, 7, 8, 3, 4, 5}));
}

TEST(Bands, NotWhatIsShownOrLiesApart) {
  ProgramBuilder gap(1, 1);
  gap.population("a", 4, 0).binaryInput("in", 1, 0);
  gap.group(0, "a", 0, 2, cuba(5)).group(1, "a", 2, 2, cuba(5), 1);
  EXPECT_EQ(bandsOf(gap.build(), {0, 2}), Found());
  ProgramBuilder shown(1, 1);
  shown.population("a", 4, 0).binaryInput("in", 1, 0);
  shown.group(0, "a", 0, 2, cuba(5)).group(1, "a", 2, 2, cuba(5));
  shown.output("out", "a", "s");
  EXPECT_EQ(bandsOf(shown.build(), {0, 2}), Found());
}

} // namespace
} // namespace dendrolith::test
