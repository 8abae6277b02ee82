// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people quote, on numbers small enough for paper and pencil.

#include "simulator/report/result/Summary.h"
#include "simulator/report/result/Pricing.h"
#include "simulator/report/result/Result.h"

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// 4 samples with 200 to 300 pJ in events and 40 to 80 pJ static.
Json priced() {
  Json result = emptyResult().json;
  result["engine"] = "cycle";
  result["samples"] = 4;
  result["model"] = {{"name", "n"}, {"sha256", nullptr}, {"file", nullptr}};
  result["target"] = {{"name", "c"}, {"overrides", Json::array()}};
  result["mapping"] = {{"cores", 2}};
  result["score"] = {{"metric", "accuracy"}, {"value", 0.5}, {"answers", 4}};
  result["counts"] = {
      {"total", {{"synops", {{"dense", 10}, {"sparse", 6}, {"conv", 4}}}}}};
  result["energy"] = {{"low",
                       {{"total_pJ", 200.0},
                        {"static_pJ", 40.0},
                        {"bound", ">="},
                        {"unpriced", {"resets"}}}},
                      {"high",
                       {{"total_pJ", 300.0},
                        {"static_pJ", 80.0},
                        {"bound", "="},
                        {"unpriced", {"resets", "barriers"}}}}};
  result["latency"] = {{"per_sample_ns", {{"mean", 20.0}}}};
  return result;
}

TEST(Summary, PerSample) {
  Json result = priced();
  addSummary(result);
  const Json &summary = result["summary"];
  EXPECT_EQ(summary["energy_per_sample_pJ"].dump(),
            R"({"low":50.0,"high":75.0,"bound":">=",)"
            R"("unpriced":["resets","barriers"]})");
  EXPECT_EQ(summary["static_per_sample_pJ"].dump(),
            R"({"low":10.0,"high":20.0})");
  EXPECT_EQ(summary["throughput_per_s"], 5e7);
  EXPECT_EQ(summary["pJ_per_synop"].dump(), R"({"low":10.0,"high":15.0})");
  EXPECT_EQ(summary["edp_pJ_ns"].dump(),
            R"({"low":1200.0,"high":1900.0,"includes_static":true})");
  // Half of the samples are right, so that each costs two samples' energy.
  EXPECT_DOUBLE_EQ(summary["J_per_correct"]["high"].get<double>(), 190e-12);
  EXPECT_EQ(summary["warnings"], 0);
}

// They lie between samples, in time and in energy.
TEST(Summary, ResetsBelongToNoSample) {
  Json result = priced();
  for (const char *end : {"low", "high"})
    result["energy"][end]["by_event"]["resets"] = {{"energy_pJ", 80.0}};
  // Four samples take 20 of 160 ns each.
  result["times"] = {{"run_ps", 160000}};
  addSummary(result);
  const Json &summary = result["summary"];
  EXPECT_EQ(summary["energy_per_sample_pJ"]["low"], 30.0);
  EXPECT_EQ(summary["energy_per_sample_pJ"]["high"], 55.0);
  EXPECT_DOUBLE_EQ(summary["static_per_sample_pJ"]["low"].get<double>(), 5);
  EXPECT_DOUBLE_EQ(summary["static_per_sample_pJ"]["high"].get<double>(), 10);
}

// What a sample takes is not what its cores take.
TEST(Summary, RatesAreThoseOfTheSystem) {
  Json result = priced();
  result["latency"]["system"] = {{"per_sample_ns", {{"mean", 2000.0}}},
                                 {"per_step_ns", 99.0}};
  result["times"] = {{"run_ps", 40000}, {"system_ps", 4000000}};
  addSummary(result);
  const Json &summary = result["summary"];
  EXPECT_EQ(summary["latency_per_sample_ns"]["mean"], 20.0);
  EXPECT_EQ(summary["system_latency_per_sample_ns"]["mean"], 2000.0);
  EXPECT_EQ(summary["throughput_per_s"], 500000.0);
  EXPECT_DOUBLE_EQ(summary["static_per_sample_pJ"]["high"].get<double>(), 40);
}

TEST(Summary, NothingIsZeroThatIsNotKnown) {
  Json result = priced();
  for (const char *end : {"low", "high"}) {
    result["energy"][end]["total_pJ"] = nullptr;
    result["energy"][end]["static_pJ"] = nullptr;
  }
  result["latency"] = nullptr;
  addSummary(result);
  const Json &summary = result["summary"];
  EXPECT_EQ(summary["energy_per_sample_pJ"]["low"], nullptr);
  EXPECT_EQ(summary["energy_per_sample_pJ"]["bound"], nullptr);
  for (const char *key :
       {"static_per_sample_pJ", "latency_per_sample_ns", "throughput_per_s",
        "edp_pJ_ns", "pJ_per_synop", "J_per_correct", "float_score"})
    EXPECT_EQ(summary[key], nullptr) << key;
}

TEST(Summary, WithoutTimeEnergyIsOfEventsAlone) {
  Json result = priced();
  result["latency"] = nullptr;
  for (const char *end : {"low", "high"})
    result["energy"][end]["static_pJ"] = nullptr;
  result["score"]["value"] = 0;
  addSummary(result);
  EXPECT_EQ(result["summary"]["edp_pJ_ns"], nullptr);
  EXPECT_EQ(result["summary"]["J_per_correct"], nullptr); // none was right
  result["score"]["value"] = 1;
  addSummary(result);
  EXPECT_EQ(result["summary"]["J_per_correct"]["includes_static"], false);
  EXPECT_DOUBLE_EQ(result["summary"]["J_per_correct"]["low"].get<double>(),
                   50e-12);
}

TEST(Summary, AWarningIsReplacedByItsCode) {
  Json result = priced();
  addWarnings(result, {{"a", "x", "t"}, {"b", "", "u"}});
  replaceWarning(result, "a", Warning{"a", "y", "v"});
  addSummary(result);
  EXPECT_EQ(result["summary"]["warnings"], 2);
  EXPECT_EQ(result["warnings"][1].dump(),
            R"({"code":"a","where":"y","text":"v"})");
  replaceWarning(result, "a", std::nullopt);
  EXPECT_EQ(result["warnings"].size(), 1u);
}

} // namespace
} // namespace dendrolith::report
