// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/Baselines.h"

#include "simulator/report/text/Lines.h"

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// 10 ticks of 200 synapses, values of -3 to 2 and 2 ticks of them in a tick.
Json baselinesResult() {
  return Json::parse(R"({"ticks": 10,
    "neurobench": {"integer": {"SynapticOperations": {"Dense": 2000.0}}},
    "schedule": {"populations": {"a": {"ticks": 2}, "b": {"ticks": 1}}},
    "spike_values": {"a": {"-3": 1, "0": 7, "2": 4, "5": 0}, "b": {"1": 2}}})");
}

TEST(Baselines, DenseAndQuantised) {
  const Json all = baselines(baselinesResult());
  EXPECT_EQ(all["dense_macs"], 2000.0);
  EXPECT_DOUBLE_EQ(all["dense_fp32_pJ"].get<double>(), 2000 * 4.6);
  EXPECT_DOUBLE_EQ(all["dense_int8_pJ"].get<double>(), 2000 * 0.23);
  EXPECT_EQ(all["quantised_bits"], 6); // log2(10 * 2 * 3 + 1) = 5.9
  EXPECT_EQ(all["quantised_macs"], 200.0);
  EXPECT_DOUBLE_EQ(all["quantised_pJ"].get<double>(), 200 * 0.23);
}

TEST(Baselines, MoreThanEightBitsArePricedAsWords) {
  Json many = baselinesResult();
  many["ticks"] = 100; // log2(601) = 9.2
  EXPECT_EQ(baselines(many)["quantised_bits"], 10);
  EXPECT_DOUBLE_EQ(baselines(many)["quantised_pJ"].get<double>(), 20 * 3.2);
}

TEST(Baselines, WhatIsNotKnownIsNull) {
  Json silent = baselinesResult();
  silent["spike_values"] = {{"a", {{"0", 20}}}};
  EXPECT_EQ(baselines(silent)["quantised_bits"], nullptr);
  EXPECT_EQ(baselines(silent)["dense_macs"], 2000.0);
  silent["neurobench"] = nullptr;
  EXPECT_EQ(baselines(silent), nullptr);
  EXPECT_EQ(baselineLine({{"baselines", nullptr}}), "");
}

TEST(Baselines, TheLineSaysPricesAndWhatIsNotInThem) {
  EXPECT_EQ(
      baselineLine({{"baselines", baselines(baselinesResult())}}),
      "Baselines (arithmetic alone at 45 nm, Horowitz 2014; no memory, no "
      "network): dense at every tick, 2,000 MACs: 9.2 nJ as 32-bit floats (4.6 "
      "pJ each), 460 pJ as 8-bit integers (0.23 pJ); one pass of a network "
      "with "
      "6-bit activations, as many levels as the ticks tell, 200 MACs: 46 pJ "
      "(0.23 pJ, of 8 bits)\n");
}

} // namespace
} // namespace dendrolith::report
