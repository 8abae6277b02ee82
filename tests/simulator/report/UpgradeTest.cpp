// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a result of schema 1 had under other names;
// tests/e2e/result_keys_test.py reads a whole one.

#include "simulator/report/ReadResult.h"
#include "simulator/report/Result.h"

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

Json old() {
  return Json::parse(
      R"({"dendrolith": "0.1.0", "engine": "cycle", "samples": 10,
    "model": {"name": "n", "sha256": "ab"}, "accuracy": 0.8,
    "compare": {"engine": "float", "samples": 10, "output_values": 4,
                "different_values": 1, "same_class": 9, "accuracy": 0.9},
    "counts": {"total": {"messages": 3, "stalls": 7},
               "host": {"messages": 1}, "cores": {}, "links": []},
    "time_ps": 1000,
    "latency": {"per_sample_ns": [1, 3], "closed_by": {"barrier": 2},
                "critical": {"update_ns": 1}},
    "utilisation": {"cores": [{"core": 4, "update": 0.1, "stalled": 0.3,
                               "receive": 0.2}], "links": []},
    "neurobench": {"footprint": 16, "parameter_count": 2,
      "connection_sparsity": 0.1, "activation_sparsity": 0.2,
      "synaptic_operations": {"Dense": 6, "Effective_MACs": 0,
                              "Effective_ACs": 5}, "membrane_updates": 2},
    "wall_s": {"load": 1}, "peak_rss_mb": 1.5})");
}

TEST(Upgrade, OtherNames) {
  Json result = upgraded(old());
  EXPECT_EQ(result["score"]["value"], 0.8);
  EXPECT_NEAR(result["score"]["low"].get<double>(), 0.4902, 1e-4);
  EXPECT_EQ(result["compare"]["score"]["value"], 0.9);
  EXPECT_EQ(result["compare"]["rate_cosine"], nullptr);
  EXPECT_EQ(result["counts"].dump(),
            R"({"total":{"messages":3},"host":{"messages":1}})");
  EXPECT_EQ(result["times"].dump(),
            R"({"run_ps":1000,"stalled_ps":7,"waiting_ps":null})");
  EXPECT_EQ(result["latency"]["per_sample_ns"]["mean"], 2);
  EXPECT_EQ(result["latency"]["steps_overlap"], false);
  EXPECT_EQ(result["utilisation"].dump(),
            R"({"busiest_core":{"core":4,"part":"stalled","share":0.3},)"
            R"("busiest_link":null})");
  EXPECT_EQ(result["peak_rss_bytes"], 1500000);
  // Static figures were those of the float network.
  EXPECT_EQ(result["neurobench"]["float"]["Footprint"], 16);
  EXPECT_EQ(result["neurobench"]["integer"]["Footprint"], nullptr);
  EXPECT_EQ(result["neurobench"]["integer"]["ActivationSparsity"], 0.2);
  EXPECT_EQ(result["neurobench"]["float"]["SynapticOperations"].dump(),
            R"({"Effective_MACs":null,"Effective_ACs":null,"Dense":6})");
}

TEST(Upgrade, HasTheKeysOfSchema2) {
  Json result = upgraded(old()), empty = emptyResult().json;
  std::vector<std::string> found, expected;
  for (const auto &item : result.items())
    found.push_back(item.key());
  for (const auto &item : empty.items())
    expected.push_back(item.key());
  EXPECT_EQ(found, expected);
}

TEST(Upgrade, AnR2HasNoInterval) {
  Json other = old();
  other.erase("accuracy");
  other["r2"] = 0.7;
  Json score = upgraded(other)["score"];
  EXPECT_EQ(score["metric"], "r2");
  EXPECT_EQ(score["low"], nullptr);
}

} // namespace
} // namespace dendrolith::report
