// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/price/CostTable.cpp.
// Chips whose prices are not known have two tables, not one.

#include "targets/loader/Describe.h"
#include "tests/targets/Support.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

namespace fs = std::filesystem;

TEST(CostBand, NoSingleTableIsGiven) {
  Target chip = Target::load("loihi2");
  ASSERT_TRUE(chip.costBand);
  EXPECT_EQ(chip.costBand->first, "lower");
  EXPECT_EQ(chip.costBand->second, "upper");
  EXPECT_EQ(chip.defaultCosts, "");
  EXPECT_EQ(messageOf([&] { CostTable::load("", chip); }),
            "target 'loihi2' has no single cost table, only a band from "
            "'lower' to 'upper': price with both, or name one");
  EXPECT_EQ(CostTable::load("lower", chip).band, BandEnd::Low);
  EXPECT_EQ(CostTable::load("upper", chip).band, BandEnd::High);
  EXPECT_NE(describe(chip).find("cost tables: lower, upper (a band from lower "
                                "to upper, no single default)"),
            std::string::npos);
}

TEST(CostBand, ChipsWithATableHaveNoBand) {
  Target tiny = Target::load("tiny");
  EXPECT_FALSE(tiny.costBand);
  EXPECT_EQ(messageOf([&] { CostTable::loadBand(tiny); }),
            "target 'tiny' has no band of cost tables, its default is 'round'");
}

// The formulas of loihi2/README.md, from published areas, counts and supplies.
TEST(CostBand, LowEndFollowsItsFormulas) {
  auto [low, high] = CostTable::loadBand(Target::load("loihi2"));
  const double line = std::sqrt((31 / 2.3) / (60 / 2.07));
  const double k = line * std::pow(0.50 / 0.75, 2);
  const double h = 14.0 / 45 * line * std::pow(0.50 / 0.90, 2);
  auto expect = [&](const char *event, double price) {
    EXPECT_NEAR(low.find(event)->value, price, 0.005 * price) << event;
  };
  expect("synops.dense", k * 23.6);
  expect("synops.sparse", k * 23.6);
  expect("synops.conv", 20); // fitted to a measured network instead
  expect("neuron_updates_inactive", k * 51.2);
  expect("neuron_updates_active", k * 51.2);
  expect("within_tile", k * 1.7);
  expect("hops_ew", k * 3.0);
  expect("hops_ns", k * 4.0);
  expect("microcode.load", h * 10 / 8);
  expect("microcode.add", h * 0.03);
  expect("microcode.multiply", h * 0.2);
  expect("microcode.mac", h * 0.23);
  expect("microcode.table", h * (2 * 10.0 / 8 + 0.23));
  expect("microcode.issue", h * 10);
  expect("ssf_rungs", h * 0.03);
}

TEST(CostBand, HighEndIsTheLargerOfLoihi1sTables) {
  auto [low, high] = CostTable::loadBand(Target::load("loihi2"));
  Target one = Target::load("loihi1");
  CostTable paper = CostTable::load("davies2018", one);
  CostTable fit = CostTable::load("silicon-fit-2025", one);
  for (const char *event :
       {"synops.dense", "synops.sparse", "synops.conv",
        "neuron_updates_inactive", "neuron_updates_active", "spikes.binary",
        "messages", "within_tile", "hops_ew", "hops_ns"})
    EXPECT_EQ(high.find(event)->value,
              std::max(paper.find(event)->value, fit.find(event)->value))
        << event;
}

/// A chip with a band of the two given tables, in a folder of its own.
class BandFolder : public testing::Test {
protected:
  void SetUp() override {
    fs::create_directories(dir);
    std::ofstream(dir / "chip.yaml")
        << edit(Target::load("tiny").yamlText, "default_costs: round",
                "default_costs: {low: a, high: b}");
  }
  void TearDown() override { fs::remove_all(dir); }

  std::string load(const std::string &low, const std::string &high) {
    std::ofstream(dir / "costs-a.yaml") << low;
    std::ofstream(dir / "costs-b.yaml") << high;
    Target chip = Target::load((dir / "chip.yaml").string());
    std::string message = messageOf([&] { CostTable::loadBand(chip); });
    for (size_t at; (at = message.find(dir.string() + "/")) < message.size();)
      message.erase(at, dir.string().size() + 1);
    return message;
  }

  const fs::path dir = fs::path(testing::TempDir()) /
                       ("dendrolith-targets-band" + std::to_string(getpid()));
  const std::string round = CostTable::load("", Target::load("tiny")).yamlText;
  const std::string low = edit(round, "scope:", "band: low\nscope:");
  const std::string high = edit(round, "scope:", "band: high\nscope:");
};

TEST_F(BandFolder, GoodOnesLoad) { EXPECT_EQ(load(low, high), ""); }

TEST_F(BandFolder, EndsMustSayWhichTheyAre) {
  EXPECT_EQ(load(high, low),
            "costs-a.yaml must say 'band: low' and costs-b.yaml 'band: high', "
            "target 'tiny' names them as the ends of its band");
  EXPECT_NE(load(low, round), "");
  EXPECT_EQ(load(edit(low, "band: low", "band: mid"), high),
            "costs-a.yaml:8:7: expected one of low, high for 'band', found "
            "'mid'");
}

TEST_F(BandFolder, LowMustNotCostMore) {
  EXPECT_EQ(load(edit(low, "hops_ew: {value: 4", "hops_ew: {value: 5"), high),
            "event 'hops_ew' costs 5 pJ in costs-a.yaml, the low end, but 4 pJ "
            "in costs-b.yaml");
  EXPECT_EQ(load(edit(low,
                      "hops_ew: {value: 4, unit: pJ, kind: assumed, source: "
                      "dendrolith}",
                      "hops_ew: unpriced"),
                 high),
            "event 'hops_ew' is unpriced in only one of costs-a.yaml and "
            "costs-b.yaml");
}

TEST_F(BandFolder, TwoDifferentTables) {
  std::string tiny = Target::load("tiny").yamlText;
  EXPECT_NE(parseTarget(edit(tiny, "default_costs: round",
                             "default_costs: {low: a, high: a}"))
                .find("both ends of the band are 'a', expected two cost "
                      "tables"),
            std::string::npos);
  EXPECT_NE(
      parseTarget(edit(tiny, "default_costs: round", "default_costs: {low: a}"))
          .find("missing key 'high' in 'default_costs'"),
      std::string::npos);
}

} // namespace
