// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests targets/loader/read/AreaReader.cpp,
// targets/loader/yaml/RecordReader.cpp, targets/loader/yaml/Yaml.cpp.

#include "tests/targets/Support.h"

using namespace dendrolith;
using namespace dendrolith::test;

namespace {

class BadArea : public testing::Test {
protected:
  const std::string good = Target::load("tiny").yamlText;
  /// The message for a file with one change, which must name its place.
  std::string with(const std::string &from, const std::string &to) {
    return parseTarget(edit(good, from, to));
  }
};

#define EXPECT_SAYS(text, part)                                                \
  EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)

TEST_F(BadArea, MessagesHavePlaces) {
  EXPECT_SAYS(with("cell: {value: 0.1,", "cell: {value: 0,"), "'cell' is 0");
  EXPECT_SAYS(with("low: 0.5, high: 0.8", "low: 0.9, high: 0.8"),
              "the high end of 'efficiency' is below its low end");
  EXPECT_SAYS(with("low: 0.5, high: 0.8", "low: 0.5, high: 1.5"),
              "'efficiency' is above 1");
  EXPECT_SAYS(with("low: 0.5, high: 0.8", "low: 0.5"), "missing key 'high'");
  EXPECT_SAYS(with("  cell: {value", "  sell: {value"), "did you mean 'cell'?");
  EXPECT_SAYS(
      with("cell: {value: 0.1, unit: um2,", "cell: {value: 0.1, unit: mm2,"),
      "expected one of um2");
  EXPECT_SAYS(with("logic: {low: 100, high: 1000", "logic: {low: -1, high: 1"),
              "is negative");
  EXPECT_SAYS(with("supply: {value: 1000,", "supply: {value: 400,"),
              "'supply' is not above the threshold of 400 mV");
  EXPECT_SAYS(with("alpha: {value: 1.3,", "alpha: {value: 3,"),
              "expected one number from 1 to 2 for 'alpha'");
  EXPECT_SAYS(with("clock: {value: 1000,", "clock: {value: 0,"),
              "'clock' is too small");
  const std::string message =
      with("node: {value: 28, unit: nm", "node: {value: 5, unit: nm");
  EXPECT_SAYS(message, "'cell' holds at 28 nm and cannot be carried to the "
                       "chip's 5 nm: there are data from 7 to 130 nm");
  EXPECT_EQ(message.rfind("chip.yaml:" + place(good, "cell: {value", 6), 0), 0u)
      << message;
}

TEST_F(BadArea, TimesThatNoOneCanWaitFor) {
  EXPECT_SAYS(messageOf([] {
                Target::load("tiny,timing.round.tick=1000000000000,"
                             "timing.round.update_active=1000000000000,"
                             "clock=1");
              }),
              "'clock' and 'voltage' make a time of 'round' longer than");
}

TEST(AreaReader, ABandIsSetAsAWhole) {
  Target chip = Target::load("tiny,area.efficiency=0.5");
  EXPECT_EQ(chip.area->efficiency.value.low, 0.5);
  EXPECT_EQ(chip.area->efficiency.value.high, 0.5);
  ASSERT_EQ(chip.overrides.size(), 1u);
  EXPECT_EQ(chip.overrides[0].was, "0.5 to 0.8");
  // The description reads back as the same chip.
  Target again = Target::parse(chip.yamlText, "chip.yaml");
  EXPECT_EQ(again.hash, chip.hash);
  EXPECT_EQ(again.area->efficiency.value.high, 0.5);
}

TEST(AreaReader, SiliconShapesNoProgram) {
  const Target tiny = Target::load("tiny");
  for (const char *change : {"area.cell=7", "leakage.bit=7", "clock=7",
                             "voltage.supply=1200", "timing.round.tick=7"})
    EXPECT_EQ(
        shapeDifference(tiny, Target::load(std::string("tiny,") + change)), "");
  EXPECT_SAYS(messageOf([] { Target::load("tiny,area.sell=1"); }),
              "did you mean 'area.cell'?");
}

TEST(AreaReader, AFileWithoutTheSectionsIsFine) {
  const Target chip = Target::load("ideal");
  EXPECT_FALSE(chip.area || chip.leakage || chip.voltage);
  EXPECT_EQ(chip.clock, 1000u);
}

} // namespace
