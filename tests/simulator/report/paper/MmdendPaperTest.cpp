// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The paper's energy formula on numbers small enough for paper and pencil.

#include "simulator/report/paper/MmdendPaper.h"
#include "targets/support/Error.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

TEST(PaperModel, Table4ByHand) {
  // J = 2 branches of K = 3 over channels [0, 3) and [1, 4) of D = 4: two
  // channels have one branch and two have two, so sum f_i i D = 6.
  PaperLayer layer;
  layer.channels = 4;
  layer.steps = 5;
  layer.branches = {{3, 3}, {3, 3}};
  PaperCost cost = paperCost(layer);
  EXPECT_DOUBLE_EQ(cost.dendriteFlops, 6 * (3 * 3 + 1) * 5);
  EXPECT_DOUBLE_EQ(cost.somaFlops, 2 * 6 * 5 + 3 * 4 * 5);
  EXPECT_DOUBLE_EQ(cost.pJ(), 4.6 * (300 + 120));
}

TEST(PaperModel, SynapsesArePaidByUnitSpike) {
  PaperLayer layer;
  layer.channels = 10;
  layer.steps = 5;
  // 5 steps of 4 sub-steps, R = 1.5 / 4 in each, 40 synapses.
  layer.sources = {{"L0", 40, true, 5, 4, 1.5}, {"x", 99, false, 0, 1, 0}};
  PaperCost cost = paperCost(layer);
  EXPECT_DOUBLE_EQ(cost.somaFlops, 0); // no neuron of the paper's
  EXPECT_DOUBLE_EQ(cost.adds, 5 * 4 * (1.5 / 4) * 40);
  EXPECT_DOUBLE_EQ(cost.pJ(), 0.9 * 300);
}

nlohmann::ordered_json resultOf(const std::string &sender) {
  return nlohmann::ordered_json::parse(R"({"ticks": 10,
    "schedule": {"populations": {"L0": {"ticks": 2}, "out": {"ticks": 1}}},
    "layers": [
      {"population": "L0", "neurons": 4,
       "branches": [{"first": 1, "end": 4, "modes": 3, "complex": true}],
       "sources": [{"name": "x", "synapses": 8}]},
      {"population": "out", "neurons": 2, "branches": [],
       "sources": [{"name": "L0", "synapses": 8}]}],
    "spike_values": {")" + sender + R"(": {"-2": 1, "-1": 1, "0": 5, "1": 1,
                                           "2": 0}}})");
}

TEST(PaperModel, LayersOfAResult) {
  std::vector<PaperLayer> layers = paperLayers(resultOf("L0"), "r");
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers[0].steps, 20); // a clock of two ticks
  EXPECT_EQ(layers[0].branches[0].channels, 3);
  EXPECT_FALSE(layers[0].sources[0].fires);
  const PaperLayer::Source &source = layers[1].sources[0];
  EXPECT_EQ(source.steps, 20);
  EXPECT_EQ(source.units, 2);         // Ubar of the type, if never reached
  EXPECT_DOUBLE_EQ(source.mean, 0.5); // (2 + 1 + 1) / 8
}

std::string errorOf(const nlohmann::ordered_json &result) {
  try {
    paperLayers(result, "r");
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(PaperModel, RefusesWhatItCannotCount) {
  EXPECT_NE(errorOf(resultOf("L9")).find("spike values of layer 'L0'"),
            std::string::npos);
  nlohmann::ordered_json plain = resultOf("L0");
  plain["layers"][0]["branches"].clear();
  EXPECT_NE(errorOf(plain).find("dend.branch"), std::string::npos);
}

} // namespace
} // namespace dendrolith::report
