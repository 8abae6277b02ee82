// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/price/Varies.cpp,
// targets/loader/price/CostTable.cpp.

#include "targets/loader/price/Varies.h"
#include "tests/targets/Support.h"

#include <cmath>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

double priceOn(const std::string &target, const std::string &costs,
               const std::string &event) {
  return CostTable::load(costs, Target::load(target)).find(event)->value;
}

double staticOn(const std::string &target, const std::string &costs) {
  return CostTable::load(costs, Target::load(target)).staticPower->milliwatts;
}

// What is stated with a price is the chip as it ships.
TEST(Varies, ShippedChipsHaveTheirPricesToTheLastDigit) {
  EXPECT_EQ(staticOn("loihi1", "davies2018"), 104);
  EXPECT_EQ(staticOn("loihi1", "silicon-fit-2025"), 104);
  EXPECT_EQ(staticOn("loihi2", "lower"), 212);
  EXPECT_EQ(staticOn("loihi2", "upper"), 232);
  EXPECT_EQ(staticOn("truenorth", ""), 42);
  EXPECT_EQ(staticOn("odin", ""), 0.16);
  EXPECT_EQ(staticOn("spinnaker2", "lower"), 1.52);
  EXPECT_EQ(staticOn("spinnaker2", "upper"), 69.4);
  EXPECT_EQ(priceOn("loihi1", "davies2018", "synops.dense"), 23.6);
  EXPECT_EQ(priceOn("loihi2", "upper", "microcode.load"), 12.5);
  EXPECT_EQ(priceOn("loihi2", "lower", "hops_ns"), 1.21);
  const Target chip = Target::load("loihi1");
  EXPECT_EQ(CostTable::load("", chip).find("hops_ew")->kind,
            Provenance::PreSilicon);
}

TEST(Varies, FollowsTheStructure) {
  // 163,840 bits of memory instead of 1,638,400, of which registers are 65,536.
  EXPECT_NEAR(priceOn("loihi2,limits.core_memory_bytes=12288", "upper",
                      "microcode.load"),
              12.5 * std::sqrt(0.1), 1e-8);
  EXPECT_NEAR(
      priceOn("loihi2,microcode.word_bits=32", "upper", "microcode.multiply"),
      3.1 / 4, 1e-8);
  // The link is longer, too.
  EXPECT_GT(priceOn("loihi2,mesh.flit_bits=64", "upper", "hops_ew"), 6);
  EXPECT_LT(staticOn("loihi1,mesh.tiles_x=1,mesh.tiles_y=1", ""), 20);
  EXPECT_GT(staticOn("loihi2,microcode.lanes=16", "lower"), 230);
  const Target small = Target::load("loihi2,limits.core_memory_bytes=12288");
  const CostTable table = CostTable::load("upper", small);
  EXPECT_EQ(table.find("microcode.load")->kind, Provenance::Scaled);
  EXPECT_EQ(table.find("synops.dense")->kind, Provenance::Assumed);
  // A price that was set is what it was set to.
  EXPECT_EQ(priceOn("loihi2,limits.core_memory_bytes=12288,"
                    "costs.upper.microcode.load=7",
                    "upper", "microcode.load"),
            7);
}

TEST(Varies, ABandStaysABandOnOtherChips) {
  for (const char *change :
       {"microcode.word_bits=16", "microcode.lanes=64", "mesh.flit_bits=8",
        "limits.core_memory_bytes=8192", "limits.core_memory_bytes=4194304",
        "voltage.supply=500", "mesh.tiles_x=1"})
    EXPECT_EQ(messageOf([&] {
                CostTable::loadBand(
                    Target::load(std::string("loihi2,") + change));
              }),
              "")
        << change;
}

TEST(Varies, TheSupplyHasALawOfItsOwn) {
  EXPECT_NEAR(priceOn("loihi1,voltage.supply=600", "", "hops_ew"), 3 * 0.64,
              1e-9);
  EXPECT_NEAR(staticOn("loihi1,voltage.supply=600", ""), 104 * 0.512, 1e-9);
}

TEST(Varies, UnknownStructureChangesNothing) {
  EXPECT_EQ(staticOn("loihi1-study", "davies2018"), 104);
}

TEST(Varies, BadFormulasHavePlaces) {
  const Target tiny = Target::load("tiny");
  const std::string good = CostTable::load("", tiny).yamlText;
  auto with = [&](const std::string &varies) {
    return parseCosts(edit(good, "spikes: {value: 100,",
                           "spikes: {value: 100, varies: " + varies + ","),
                      tiny);
  };
  EXPECT_EQ(with("{with: cores, at: 4, kind: assumed, source: dendrolith}"),
            "");
  auto says = [](const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(
      says(with("{with: core, at: 4, kind: assumed, source: dendrolith}"),
           "did you mean 'cores'?"));
  EXPECT_TRUE(
      says(with("{with: cores, at: 0, kind: assumed, source: dendrolith}"),
           "'at' is 0, expected the cores of the chip"));
  EXPECT_TRUE(
      says(with("{with: cores, at: 4, kind: measured, source: dendrolith}"),
           "'scaled' or 'assumed'"));
  EXPECT_TRUE(says(with("{with: cores, at: 4, power: 9, kind: assumed, "
                        "source: dendrolith}"),
                   "'power' is too large"));
  EXPECT_TRUE(
      says(with("{with: cores, at: 4, kind: assumed, source: me}"), "source"));
}

} // namespace
