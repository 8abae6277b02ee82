// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States out of a recorded file of a few values, and their picture.

#include "simulator/report/html/StatePicture.h"

#include "runtime/arrays/Npy.h"
#include "targets/support/Error.h"

#include <nlohmann/json.hpp>

#include <gmock/gmock.h>

namespace dendrolith::report::html {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// 2 samples of 3 ticks of 2 neurons.
Recorded recorded() {
  return {formatNpz(
              {{"<l>:v", Array::ofInts({2, 3, 2}, {0, 8, 4, -4, 2, 2, //
                                                   90, 90, 90, 90, 90, 90})},
               {"<l>", Array::ofInts({2, 3, 2}, std::vector<int64_t>(12, 1))}}),
          ""};
}

TEST(StatePicture, StatesAreInTheUnitsOfTheModel) {
  const auto states =
      statesOf(recorded(), {{"<l>:v", 4.0}, {"<l>", 1.0}}, 2, "R");
  ASSERT_EQ(states.size(), 1u) << "spikes are no state";
  EXPECT_TRUE(states[0].isReal);
  EXPECT_THAT(states[0].rows,
              ElementsAre(ElementsAre(0, 1, 0.5), ElementsAre(2, -1, 0.5)));
  EXPECT_EQ(states[0].least, -1);
  EXPECT_EQ(states[0].greatest, 2) << "of the first sample";
  EXPECT_DOUBLE_EQ(states[0].mean, 0.5);
}

TEST(StatePicture, AThresholdIsALineWhereItIsNear) {
  auto states = statesOf(recorded(), {{"<l>:v", 4.0}}, 2, "R");
  Json state = {{"name", "v"}, {"threshold", 2.5}};
  const Json network = {
      {"nodes", {{{"name", "<l>"}, {"states", Json::array({state})}}}}};
  addThresholds(network, states);
  EXPECT_EQ(states[0].threshold, 2.5);
  EXPECT_THAT(statePicture(states), HasSubstr("class=\"threshold\""));
  EXPECT_THAT(statePicture(states), HasSubstr(">neuron 1</text>"));
  states[0].threshold = 1000;
  EXPECT_THAT(statePicture(states), HasSubstr("threshold 1000, beyond"));
  EXPECT_THAT(statePicture(states), Not(HasSubstr("class=\"threshold\"")))
      << "it would flatten the lines";
  EXPECT_EQ(stateData(states)[0].at("threshold"), 1000);
}

TEST(StatePicture, WithoutUnitsNumbersAreRaw) {
  const auto states = statesOf(recorded(), Json(), 2, "R");
  ASSERT_EQ(states.size(), 1u);
  EXPECT_FALSE(states[0].isReal);
  EXPECT_EQ(states[0].greatest, 8);
  EXPECT_THAT(stateTable(states), HasSubstr("raw integers"));
}

TEST(StatePicture, NothingIsReadWhereNoStateWasAskedFor) {
  EXPECT_TRUE(statesOf({"no archive", ""}, {{"l", 1.0}}, 2, "R").empty());
  EXPECT_TRUE(statesOf({"", ""}, Json(), 2, "R").empty());
}

TEST(StatePicture, RefusesAnotherResultsStates) {
  try {
    statesOf(recorded(), Json(), 3, "R");
    FAIL() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_THAT(error.what(), HasSubstr("R: traces.npz: '<l>:v': expected "
                                        "(samples, ticks, neurons)"));
  }
}

TEST(StatePicture, LinesGoFromTheGreatestValueToTheLeast) {
  const std::string picture =
      statePicture(statesOf(recorded(), {{"<l>:v", 4.0}}, 2, "R"));
  EXPECT_THAT(picture, HasSubstr("&lt;l&gt;:v"));
  // The plot is 110 high from 8 on, 800 wide from 150 on; values go from 2 to
  // -1.
  EXPECT_THAT(picture, HasSubstr("class=\"state s1\" d=\"M283.3 8.0L550.0 118.0"
                                 "L816.7 63.0\""));
  EXPECT_THAT(picture, HasSubstr("class=\"grid\"")) << "0 lies between";
}

} // namespace
} // namespace dendrolith::report::html
