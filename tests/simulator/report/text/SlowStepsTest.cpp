// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/SlowSteps.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

Json slowRun() {
  const auto mapping = [](double ns, bool chosen) {
    return Json{{"step_ns", ns}, {"chosen", chosen}};
  };
  return {
      {"timing", {{"name", "set"}}},
      {"latency",
       {{"critical", {{"update_ns", 30.0}, {"barrier_ns", 10.0}}},
        {"closed_by",
         {{"barrier", 1}, {"core 2 update", 6}, {"core 12 receive", 3}}}}},
      {"mapping",
       {{"hotspots",
         {{{"where", "core 12"}, {"step_ns", 41.2}, {"remedy", ""}},
          {{"where", "barrier"},
           {"step_ns", 10.0},
           {"remedy", "at least 25 % less of a step with --target a,b=1"}}}},
        {"placement",
         {{{"core", 2}, {"population", "a"}, {"neurons", 7}},
          {{"core", 2}, {"population", "b"}, {"neurons", 1}},
          {{"core", 12}, {"population", "b"}, {"neurons", 5}}}},
        {"trade_off", {mapping(40, true), mapping(39.9, false)}}}}};
}

TEST(SlowSteps, NameWhoEndedMostAndWhatItHolds) {
  EXPECT_EQ(slowestLine(slowRun()),
            "Slowest: core 2 update (7 of 'a', 1 of 'b') ended 60 % of the "
            "steps; the barrier takes 25 % of cores' and mesh's time\n");
  Json result = slowRun();
  result["latency"] = nullptr; // an engine without a clock
  EXPECT_EQ(slowestLine(result), "");
  EXPECT_EQ(formatSlowSteps(result), "");
}

TEST(SlowSteps, SayWhatTheMapperHadPredicted) {
  const std::string text = formatSlowSteps(slowRun());
  EXPECT_NE(text.find("30.0 %           5 of 'b'                41 ns"),
            text.npos)
      << text;
  EXPECT_NE(text.find("barrier"), text.npos);
}

TEST(SlowSteps, NameChipsThatArePredictedToBeFaster) {
  EXPECT_NE(
      formatSlowSteps(slowRun()).find(
          "none is predicted to be faster\n"
          "Predicted: at least 25 % less of a step with --target a,b=1\n"),
      std::string::npos);
}

TEST(SlowSteps, PromiseNoGainThatWasLookedFor) {
  Json result = slowRun();
  EXPECT_NE(formatSlowSteps(result).find("Of 2 mappings that were looked at, "
                                         "none is predicted to be faster"),
            std::string::npos);
  result["mapping"]["trade_off"][1]["step_ns"] = 30.0;
  EXPECT_NE(
      formatSlowSteps(result).find("predicted to take at least 22 % less of a "
                                   "step: --map-for time takes it"),
      std::string::npos);
}

} // namespace
} // namespace dendrolith::report
