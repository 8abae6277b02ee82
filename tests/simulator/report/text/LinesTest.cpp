// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/Lines.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

Json resultWithOutputs(uint64_t outputs, uint64_t spikes, uint64_t messages) {
  Json layer = {
      {"population", "c"},
      {"counts", {{"outputs", outputs}, {"spikes", {{"binary", spikes}}}}}};
  return {{"counts", {{"total", {{"messages", messages}}}}},
          {"layers", Json::array({layer})}};
}

TEST(Lines, SayWhatOutputsOfStatesCost) {
  EXPECT_EQ(outputsLine(resultWithOutputs(6336, 1216, 8226)),
            "Outputs: 5,120 of 8,226 messages carry values of 'c' to the host; "
            "a state that is watched by --trace instead of an output sends "
            "none\n");
}

TEST(Lines, LeaveOutLayersWithoutCounts) {
  Json result = resultWithOutputs(6336, 1216, 8226);
  result["layers"].push_back({{"population", "part"}, {"counts", nullptr}});
  EXPECT_EQ(outputsLine(result),
            outputsLine(resultWithOutputs(6336, 1216, 8226)));
}

TEST(Lines, SayNothingOfSpikesAndOfFewValues) {
  EXPECT_EQ(outputsLine(resultWithOutputs(1216, 1216, 3736)), "");
  EXPECT_EQ(outputsLine(resultWithOutputs(100, 0, 1001)), "");
}

} // namespace
} // namespace dendrolith::report
