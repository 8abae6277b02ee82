// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chips put together: what a file and the command line say of a board, and what
// is refused.

#include "targets/loader/Describe.h"
#include "targets/mesh/Routing.h"
#include "tests/targets/Support.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

std::string refusal(const std::string &name) {
  try {
    Target::load(name);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

void expectRefused(const std::string &name, const std::string &why) {
  EXPECT_NE(refusal(name).find(why), std::string::npos) << refusal(name);
}

TEST(Board, OneChipIsLeftAsItIs) {
  const Target chip = Target::load("loihi1");
  EXPECT_EQ(chip.mesh.chips(), 1u);
  EXPECT_EQ(chip.numCores(), 128u);
  const std::string text = chip.yamlText;
  const size_t from = text.find("board:"), to = text.find("limits:");
  const Target without =
      Target::parse(text.substr(0, from) + text.substr(to), "chip.yaml");
  for (size_t i = 0; i < chip.timings.size(); ++i)
    EXPECT_EQ(chip.timings[i].hash, without.timings[i].hash);
  EXPECT_EQ(shapeDifference(chip, without), "");
  EXPECT_EQ(chip.events(), without.events());
  EXPECT_EQ(chip.timing().barrierTime(32, 1), chip.timing().barrier.time(32));
}

TEST(Board, MoreChipsAreOneMesh) {
  const Target one = Target::load("loihi1");
  const Target board = Target::load("loihi1,board.chips_x=4,board.chips_y=2");
  EXPECT_EQ(board.mesh.tilesX, 32u);
  EXPECT_EQ(board.mesh.tilesY, 8u);
  EXPECT_EQ(board.numCores(), 1024u);
  EXPECT_EQ(board.coresPerChip(), 128u);
  // The second chip begins with core 128, to the right of the first one.
  EXPECT_EQ(board.coreXY(128).x, 8u);
  EXPECT_EQ(board.coreXY(128).y, 0u);
  EXPECT_EQ(shapeDifference(one, board),
            "'board' has 1 by 1 chips there and 4 by 2 here");
  EXPECT_NE(one.timing().hash, board.timing().hash);
  EXPECT_NE(describe(board).find("4 x 2 chips of 8 x 4 tiles of 4 cores, 1024 "
                                 "cores in all\n"),
            std::string::npos);
}

// A flit takes 8 phits of 582 ps each: the last one arrives 7 of them after the
// first, and the next flit follows after 8.
TEST(Board, PhitsMakeALinkSlower) {
  const Target board = Target::load("loihi1,board.chips_x=2");
  const PortTiming &link = board.timing().noc.crossing;
  EXPECT_EQ(link.forward, 50000u + 7 * 582);
  EXPECT_EQ(link.interval, 8u * 582);
  EXPECT_EQ(zeroLoad(board.timing().noc, 2, 0, 1) -
                zeroLoad(board.timing().noc, 2, 0),
            link.forward);
  const Target wide = Target::load("loihi1,board.chips_x=2,board.link.phits=1");
  EXPECT_EQ(wide.timing().noc.crossing.forward, 50000u);
}

// A table over chips beside the barrier of the fullest chip.
TEST(Board, BarrierOverChips) {
  const TimingSet set = Target::load("loihi1,board.chips_x=4").timing();
  EXPECT_EQ(set.barrierTime(1, 1), 113000u);
  EXPECT_EQ(set.barrierTime(32, 2), 465000u + 748000);
  EXPECT_EQ(set.barrierTime(32, 3), 465000u + 1496000);
  // These were measured.
  EXPECT_EQ(set.barrierTime(32, 256), 14300000u);
  EXPECT_EQ(set.barrierTime(32, 768), 16200000u);
  // A network on 32 chips took 6.64 us a step, whatever its cores did.
  EXPECT_LT(set.barrierTime(32, 32), 6640000u);
}

TEST(Board, ACrossingIsUnpricedUntilItHasAPrice) {
  const Target board = Target::load("loihi1,board.chips_x=2");
  EXPECT_EQ(CostTable::load("", board).find("crossings"), nullptr);
  const Target priced =
      Target::load("loihi1,board.chips_x=2,costs.davies2018.crossings=40");
  const CostTable table = CostTable::load("", priced);
  EXPECT_EQ(table.find("crossings")->value, 40);
  EXPECT_EQ(table.find("crossings")->kind, Provenance::Assumed);
  EXPECT_EQ(priced.overrides.back().was, "unpriced");
}

TEST(Board, Refusals) {
  expectRefused("loihi1,board.chips_x=0", "expected 1 to 1024");
  expectRefused("loihi1,board.chips_x=1025", "expected 1 to 1024");
  expectRefused("loihi1,board.chips_x=1024,board.chips_y=16",
                "the board has 1024 by 16 chips with 2097152 cores");
  expectRefused("loihi1,board.link.phits=0", "'phits'");
  expectRefused("odin,board.chips_x=2",
                "cannot set 'board.chips_x' to '2': the target has no section "
                "'board', which says what links between its chips take");
}

} // namespace
