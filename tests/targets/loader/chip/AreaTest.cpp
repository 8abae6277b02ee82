// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/chip/Area.cpp, targets/loader/Describe.cpp: a chip by
// hand, published chips, and that every axis of a chip has a price in silicon.

#include "targets/loader/chip/Area.h"
#include "targets/loader/Describe.h"
#include "targets/loader/files/Discovery.h"
#include "tests/targets/Support.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

Silicon siliconOf(const std::string &name) {
  const Target target = Target::load(name);
  return *dendrolith::siliconOf(target, target.timing());
}

const SiliconPart &partOf(const Silicon &silicon, const std::string &name) {
  for (const SiliconPart &part : silicon.parts)
    if (part.name == name)
      return part;
  throw Error("no part " + name);
}

TEST(Area, TinyByHand) {
  const Silicon tiny = siliconOf("tiny");
  // 64 words of 64 bits; a bit takes 0.1 um2 of cells, which are 0.5 to 0.8 of
  // a macro.
  const SiliconPart &synapses = partOf(tiny, "synapses");
  EXPECT_EQ(synapses.count, 4u);
  EXPECT_DOUBLE_EQ(synapses.each.low, 4096 * 0.1 / 0.8);
  EXPECT_DOUBLE_EQ(synapses.each.high, 4096 * 0.1 / 0.5);
  EXPECT_DOUBLE_EQ(synapses.leakage.low, 4 * 4096 * 10e-9);
  EXPECT_DOUBLE_EQ(synapses.leakage.high, 4 * 4096 * 100e-9);
  EXPECT_DOUBLE_EQ(partOf(tiny, "in-axons").each.low, 32 * 64 * 0.1 / 0.8);
  // u and v of 24 bits, 22 of input, 13 of bias, 3 of its exponent, 6 of rest.
  EXPECT_DOUBLE_EQ(partOf(tiny, "state").each.low, 16 * 92 * 0.1 / 0.8);
  EXPECT_DOUBLE_EQ(partOf(tiny, "fixed engine").each.low, 1000);
  // 8 + 22 + 2 * 24 bits are added, 2 * 24 * 12 pairs multiplied.
  EXPECT_DOUBLE_EQ(partOf(tiny, "fixed arithmetic").each.low, 78 * 4 + 576 * 3);
  EXPECT_DOUBLE_EQ(partOf(tiny, "routers").each.low, 32 * 50);
  EXPECT_DOUBLE_EQ(partOf(tiny, "router buffers").each.low,
                   (4 * 4 + 4) * 32 * 2);
  EXPECT_DOUBLE_EQ(partOf(tiny, "fixed").area.low, 0.01);
  EXPECT_DOUBLE_EQ(partOf(tiny, "fixed").leakage.high, 0.01);
  double low = 0, leak = 0;
  for (const SiliconPart &part : tiny.parts) {
    low += part.area.low;
    leak += part.leakage.high;
  }
  EXPECT_DOUBLE_EQ(tiny.area.low, low);
  EXPECT_DOUBLE_EQ(tiny.leakage->high, leak);
  EXPECT_DOUBLE_EQ(tiny.core.low, (low - 0.01) / 4);
}

// Loihi 1, Loihi 2, ODIN and TrueNorth are what their logic was derived from.
// MorphIC is not: its logic is ODIN's, carried from 28 to 65 nm.
TEST(Area, PublishedAreasLieInTheBandAndNearItsMiddle) {
  size_t dies = 0;
  for (const std::string &name : listTargets()) {
    const Target target = Target::load(name);
    if (!target.area || !target.area->publishedDie || name == "loihi1-study")
      continue;
    ++dies;
    const double die = target.area->publishedDie->value.low;
    const LowHigh area = *areaOf(target, target.timing());
    EXPECT_LE(area.low, die) << name;
    EXPECT_GE(area.high, die) << name;
    EXPECT_NEAR((area.low + area.high) / 2, die, 0.1 * die) << name;
    if (target.area->publishedCore) {
      const double core = target.area->publishedCore->value.low;
      const LowHigh ours = siliconOf(name).core;
      EXPECT_NEAR((ours.low + ours.high) / 2, core, 0.1 * core) << name;
    }
  }
  // loihi1, loihi2, loihi2-binary, morphic, netx, odin, truenorth
  EXPECT_EQ(dies, 7u);
}

TEST(Leakage, HighEndIsWhatTheChipsWereMeasuredAt) {
  EXPECT_NEAR(siliconOf("loihi1").leakage->high, 104, 0.1);
  EXPECT_NEAR(siliconOf("loihi2").leakage->high, 104, 0.1);
  EXPECT_NEAR(siliconOf("truenorth").leakage->high, 42, 0.1);
  EXPECT_NEAR(siliconOf("odin").leakage->high, 0.160, 0.001);
}

// Both ends of area and leakage rise with what there is more of.
TEST(Area, EveryAxisCosts) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> axes = {
      {"loihi2",
       {"limits.core_memory_bytes=262144", "microcode.lanes=2",
        "microcode.registers=2048", "mesh.tiles_x=9", "mesh.tiles_y=5",
        "mesh.cores_per_tile=5", "mesh.flit_bits=64",
        "timing.scaled.noc.local.buffer=25",
        "timing.scaled.noc.east_west.buffer=25", "area.cell=0.03",
        "leakage.bit=400", "leakage.logic=4000"}},
      {"loihi1",
       {"limits.synapse_memory_words=32768", "limits.in_axons=8192",
        "limits.out_axons=8192", "limits.compartments_per_core=2048",
        "formats.state_bits=32", "formats.input_bits=32",
        "synapse_memory.weight_bit_codes=8+12,formats.weight_bits=12",
        "area.node=28"}},
      {"loihi1,formats.decay_bits=7", {"formats.decay_bits=12"}}};
  for (const auto &[name, changes] : axes) {
    const Silicon before = siliconOf(name);
    for (const std::string &change : changes) {
      const Silicon after = siliconOf(name + "," + change);
      const bool isLeakage = change.rfind("leakage.", 0) == 0;
      if (isLeakage)
        EXPECT_EQ(after.area.high, before.area.high) << change;
      else
        EXPECT_GT(after.area.high, before.area.high) << change;
      if (change.rfind("area.cell", 0) == 0) // its bits leak what they did
        EXPECT_EQ(after.leakage->high, before.leakage->high) << change;
      else
        EXPECT_GT(after.leakage->high, before.leakage->high) << change;
      EXPECT_GE(after.leakage->low, before.leakage->low) << change;
    }
  }
}

TEST(Area, OneTileLeaksLessThanMany) {
  const double
      one = siliconOf("loihi1,mesh.tiles_x=1,mesh.tiles_y=1").leakage->high,
      many = siliconOf("loihi1,mesh.tiles_x=32,mesh.tiles_y=1").leakage->high,
      more = siliconOf("loihi1,mesh.tiles_x=33,mesh.tiles_y=1").leakage->high;
  EXPECT_LT(one, many / 5);
  // Each tile costs the same.
  EXPECT_NEAR((many - one) / 31, more - many, 1e-9);
}

TEST(Area, ThereIsNoneWhereAMemoryIsUnlimited) {
  for (const char *name :
       {"ideal", "loihi1-study", "loihi1,limits.in_axons=unlimited"}) {
    const Target target = Target::load(name);
    EXPECT_FALSE(areaOf(target, target.timing())) << name;
    EXPECT_FALSE(leakageOf(target, target.timing())) << name;
  }
  const Target study = Target::load("loihi1-study");
  EXPECT_EQ(formatSilicon(study, study.timing()),
            "  not known: a memory of the cores is unlimited\n");
}

TEST(Area, ScaledNumbersSaySo) {
  const Silicon silicon = siliconOf("loihi1");
  EXPECT_EQ(partOf(silicon, "synapses").kind, Provenance::Inherited);
  EXPECT_EQ(partOf(silicon, "routers").kind, Provenance::Scaled);
  const Silicon smaller = siliconOf("loihi1,area.node=10");
  EXPECT_EQ(partOf(smaller, "synapses").kind, Provenance::Scaled);
  EXPECT_NEAR(smaller.area.low / silicon.area.low, 1.7 / 2.9, 1e-9);
}

} // namespace
