// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests simulator/report/compare/Difference.cpp and
// simulator/report/result/NamedValues.cpp.

#include "simulator/report/compare/Difference.h"
#include "simulator/report/result/NamedValues.h"
#include "simulator/report/result/Pricing.h"
#include "simulator/report/result/Result.h"
#include "simulator/report/result/Summary.h"

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// A result whose samples have `spikes` of `price` pJ each and 1 ns.
Json differenceResult(uint64_t samples, uint64_t spikes, double price,
                      double accuracy) {
  Json all = emptyResult().json;
  all["engine"] = "cycle";
  all["samples"] = samples;
  all["model"] = {{"name", "net"}, {"sha256", nullptr}, {"file", nullptr}};
  all["policies"] = {{"dt", "0.001"}};
  all["score"] = {{"metric", "accuracy"},
                  {"value", accuracy},
                  {"answers", samples},
                  {"low", accuracy - 0.1},
                  {"high", accuracy + 0.1}};
  all["counts"] = {{"total",
                    {{"spikes", spikes * samples},
                     {"inputs", 5 * samples},
                     {"tiles", 3},
                     {"synops", {{"dense", 1}, {"sparse", 0}, {"conv", 0}}}}}};
  Json bill = {
      {"total_pJ", double(samples * spikes) * price},
      {"static_pJ", 7.0 * double(samples)},
      {"bound", "="},
      {"unpriced", Json::array()},
      {"by_event",
       {{"spikes",
         {{"count", samples * spikes},
          {"price_pJ", price},
          {"energy_pJ", double(samples * spikes) * price}}},
        {"resets",
         {{"count", samples}, {"price_pJ", 0.0}, {"energy_pJ", 0.0}}}}}};
  all["energy"] = {{"low", bill}, {"high", bill}};
  const Json table = {{"name", "t"}, {"sha256", "c"}};
  all["costs"] = {{"low", table}, {"high", table}};
  Json critical;
  for (const char *part : {"update_ns", "noc_ns", "receive_ns", "barrier_ns"})
    critical[part] = 2.0 * double(samples) * price;
  all["latency"] = {{"per_sample_ns", {{"mean", 8 * price}}},
                    {"critical", critical}};
  addSummary(all);
  return all;
}

TEST(Difference, OfAResultWithItself) {
  const Json same = differenceResult(2, 3, 1, 0.5);
  EXPECT_EQ(formatDifference(same, same),
            "Differences, the second against the first\n"
            "Configuration: the same\n\n"
            "Score (accuracy): 0.5000 to 0.5000, +0.0000\n"
            "Latency (mean, ns): 8 to 8, +0.0 %; by part: update_ns +0 "
            "waiting_ns +0 noc_ns +0 receive_ns +0 barrier_ns +0\n"
            "\nCounts: the same\n"
            "\n  nJ per sample first second change by counts by prices\n"
            "  events        0.003  0.003     +0\n"
            "  static        0.007  0.007     +0\n"
            "  together       0.01   0.01     +0\n");
}

// Samples of another number are no difference of counts; a price changes what
// the second count costs, a count what it costs at the first price.
TEST(Difference, CountsAndPricesAddUp) {
  Json a = differenceResult(2, 3000, 1, 0.5),
       b = differenceResult(4, 5000, 4, 0.55);
  b["policies"]["dt"] = "0.002";
  b["policies"]["reset"] = "zero";
  const std::string text = formatDifference(a, b);
  EXPECT_NE(text.find("  samples           2      4\n"
                      "  choice.dt     0.001  0.002\n"
                      "  choice.reset  none  zero\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("+0.0500; the 95 % intervals overlap"), std::string::npos)
      << text;
  EXPECT_NE(text.find("8 to 32, +300.0 %; by part: update_ns +6 "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  spikes           3000.0 5000.0 +66.7 %\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("tiles"), std::string::npos);
  // 17 nJ more: 2000 spikes of 1 pJ, and 5000 of 3 pJ more.
  EXPECT_NE(
      text.find("  spikes            3     20    +17        +2       +15"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("resets"), std::string::npos);
}

TEST(Difference, WithoutAChipThereIsNoEnergy) {
  Json a = differenceResult(1, 1, 1, 0.5);
  Json b = emptyResult().json;
  b["engine"] = "float";
  b["samples"] = 1;
  b["model"] = a["model"];
  addSummary(b);
  const std::string text = formatDifference(a, b);
  EXPECT_NE(text.find("cycle"), std::string::npos);
  EXPECT_EQ(text.find("nJ"), std::string::npos) << text;
}

TEST(NamedValues, LevelsStandBetweenDots) {
  NamedValues all;
  flatten(Json::parse(R"({"a": {"b": 1, "c": {"d": null}}, "e": [2]})"), "",
          all);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].first, "a.b");
  EXPECT_EQ(all[1].first, "a.c.d");
  EXPECT_EQ(all[2].second, Json::array({2}));
}

} // namespace
} // namespace dendrolith::report
