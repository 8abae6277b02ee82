// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/NeuroBenchFields.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

/// 10 float parameters, of which 8 are weights and 2 of these 0.
sim::RunResult neuroBenchRun() {
  sim::RunResult result;
  result.neuroBench.footprint = 40;
  result.neuroBench.parameterCount = 10;
  result.neuroBench.connectionSparsity = 0.25;
  result.neuroBench.activationSparsity = 0.5;
  result.neuroBench.dense = 80;
  result.neuroBench.effectiveAcs = 7;
  sim::SpikeValues &values = result.spikeValues.emplace_back();
  values.name = "a";
  values.low = -1;
  values.counts = {1, 3, 4};
  return result;
}

Json neuroBenchResult() {
  return {{"quantisation",
           {{{"weights", 0}, {"weight_bits", 0}, {"zeroed", 0}},
            {{"weights", 6}, {"weight_bits", 4}, {"zeroed", 1}},
            {{"weights", 2}, {"weight_bits", 9}, {"zeroed", 0}}}},
          {"score",
           {{"metric", "accuracy"},
            {"value", 0.75},
            {"mse", nullptr},
            {"smape", nullptr}}},
          {"compare", nullptr}};
}

TEST(NeuroBenchFields, TheIntegerNetworkHasItsOwnBitsAndZeros) {
  const Json fields =
      neuroBenchFields(neuroBenchResult(), neuroBenchRun()).at("integer");
  EXPECT_EQ(fields.at("Footprint"), (6 * 4 + 2 * 9 + 7) / 8 + 2 * 4);
  EXPECT_EQ(fields.at("ConnectionSparsity"), 0.375);
  EXPECT_EQ(fields.at("ParameterCount"), 10);
  EXPECT_EQ(fields.at("ClassificationAccuracy"), 0.75);
  EXPECT_EQ(fields.at("R2"), nullptr);
  EXPECT_EQ(fields.at("MSE"), nullptr);
  EXPECT_EQ(fields.at("ActivationSparsity"), 0.5);
  EXPECT_EQ(fields.at("ActivationSparsityByLayer").dump(), R"({"a":0.375})");
  EXPECT_EQ(fields.at("SynapticOperations").dump(),
            R"({"Effective_MACs":0.0,"Effective_ACs":7.0,"Dense":80.0})");
}

TEST(NeuroBenchFields, TheFloatNetworkStandsBesideIt) {
  Json compared = neuroBenchResult();
  Json fields = neuroBenchFields(compared, neuroBenchRun()).at("float");
  EXPECT_EQ(fields.at("Footprint"), 40);
  EXPECT_EQ(fields.at("ConnectionSparsity"), 0.25);
  EXPECT_EQ(fields.at("ActivationSparsity"), nullptr);
  EXPECT_EQ(fields.at("SynapticOperations").at("Effective_ACs"), nullptr);
  compared["compare"] = {
      {"engine", "float"},
      {"score",
       {{"metric", "r2"}, {"value", 1.0}, {"mse", 0.5}, {"smape", 20}}},
      {"layers",
       {{{"population", "a"},
         {"outputs", {{{"other_rate", 0.25}, {"values", 8}}}}},
        {{"population", "b"},
         {"outputs", {{{"other_rate", 1.0}, {"values", 24}}}}},
        {{"population", "c"},
         {"outputs", {{{"other_rate", nullptr}, {"values", 9}}}}}}}};
  fields = neuroBenchFields(compared, neuroBenchRun()).at("float");
  EXPECT_EQ(fields.at("ClassificationAccuracy"), nullptr);
  EXPECT_EQ(fields.at("R2"), 1.0);
  EXPECT_EQ(fields.at("MSE"), 0.5);
  EXPECT_EQ(fields.at("SMAPE"), 20);
  EXPECT_EQ(fields.at("ActivationSparsity"), 0.75 * 8 / 32);
  EXPECT_EQ(fields.at("ActivationSparsityByLayer").dump(),
            R"({"a":0.75,"b":0.0})");
}

TEST(NeuroBenchFields, ANetworkOfIntegersHasNoFloatOne) {
  Json integers = neuroBenchResult();
  integers["quantisation"] = Json::array();
  const Json fields = neuroBenchFields(integers, neuroBenchRun());
  EXPECT_EQ(fields.at("float"), nullptr);
  EXPECT_EQ(fields.at("integer").at("Footprint"), 40);
  EXPECT_EQ(fields.at("integer").at("ConnectionSparsity"), 0.25);
}

TEST(NeuroBenchFields, WhatRanOnAMergedMapIsNoFigureOfTheLayers) {
  Json merged = neuroBenchResult();
  merged["quantisation"] = {
      {{"weights", 1600}, {"weight_bits", 8}, {"zeroed", 3}}};
  const Json fields = neuroBenchFields(merged, neuroBenchRun()).at("integer");
  EXPECT_EQ(fields.at("ParameterCount"), 10);
  EXPECT_EQ(fields.at("Footprint"), nullptr);
  EXPECT_EQ(fields.at("ConnectionSparsity"), nullptr);
  EXPECT_EQ(fields.at("SynapticOperations").dump(),
            R"({"Effective_MACs":null,"Effective_ACs":null,"Dense":80.0})");
}

} // namespace
} // namespace dendrolith::report
