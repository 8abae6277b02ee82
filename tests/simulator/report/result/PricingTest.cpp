// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests simulator/report/result/Pricing.cpp.

#include "simulator/report/result/Pricing.h"

#include "targets/loader/Target.h"
#include "targets/support/Error.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;
using sim::Attribution;

const std::vector<CostTable> &davies() {
  static const std::vector<CostTable> tables = {
      CostTable::load("davies2018", Target::load("loihi1"))};
  return tables;
}

/// An input that sends one message to `p`, which serves it and answers the
/// host.
Attribution small() {
  Attribution by;
  by.chip[Counter::Barriers] = by.chip[Counter::Steps] = 4;
  by.layers.resize(2);
  by.layers[0].name = "in";
  by.layers[0].isInput = true;
  by.layers[0].neurons = 3;
  by.layers[1].name = "p";
  by.layers[1].neurons = 2;
  by.layers[1].counts[Counter::UpdatesInactive] = 5; // 52 pJ each
  by.flows = {{0, 1, {}}, {1, sim::FlowCounts::host, {}}};
  by.flows[0].counts[Counter::WithinTile] = 1;  // 1.7 pJ
  by.flows[0].counts[Counter::SynopsDense] = 2; // 23.6 pJ each
  by.flows[1].counts[Counter::HopsEw] = 3;      // 3 pJ each
  addFlows(by);
  return by;
}

TEST(LayerBill, RowsOfLayersInputsAndTheChip) {
  Json layers = {{{"population", "p"},
                  {"neurons", 2},
                  {"branches", Json::array()},
                  {"sources", Json::array()},
                  {"counts", nullptr},
                  {"energy_pJ", nullptr}}};
  addLayerCounts(layers, small());
  ASSERT_EQ(layers.size(), 3u);
  EXPECT_EQ(layers[0]["kind"], "population");
  EXPECT_EQ(layers[0]["counts"]["synops"]["dense"], 2);
  EXPECT_EQ(layers[0]["counts"]["hops_ew"], 3);
  EXPECT_EQ(layers[1]["kind"], "input");
  EXPECT_EQ(layers[1]["population"], "in");
  EXPECT_EQ(layers[1]["neurons"], 3);
  EXPECT_EQ(layers[1]["counts"]["within_tile"], 1);
  EXPECT_EQ(layers[2]["kind"], "chip");
  EXPECT_EQ(layers[2]["counts"]["barriers"], 4);
  // All rows have the same keys.
  for (const Json &row : layers)
    for (const auto &[key, value] : layers[0].items())
      EXPECT_TRUE(row.contains(key)) << key;

  priceRows(layers, davies(), "layers");
  EXPECT_EQ(layers[0]["energy_pJ"]["high"], 5 * 52 + 2 * 23.6 + 9);
  EXPECT_EQ(layers[1]["energy_pJ"]["high"], 1.7);
  EXPECT_EQ(layers[1]["energy_pJ"]["low"], 1.7);
  EXPECT_TRUE(layers[2]["energy_pJ"].is_null()); // barriers have no price
}

TEST(LayerBill, Flows) {
  Json flows = flowRows(small());
  priceRows(flows, davies(), "flows");
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[0]["source"], "in");
  EXPECT_EQ(flows[0]["target"], "p");
  EXPECT_EQ(flows[0]["to"], "population");
  EXPECT_EQ(flows[0]["energy_pJ"]["high"], 48.9);
  EXPECT_TRUE(flows[1]["target"].is_null());
  EXPECT_EQ(flows[1]["to"], "host");
  EXPECT_EQ(flows[1]["energy_pJ"]["high"], 9);
}

TEST(SampleBill, ColumnsOfWhatHappened) {
  std::vector<sim::CoreCounts> samples(2);
  samples[0][Counter::SynopsDense] = 3;
  samples[1][Counter::SynopsDense] = 1;
  samples[1][Counter::HopsNs] = 2;
  samples[0][Counter::Flits] = 9; // no energy event
  Json counts = sampleCounts(samples);
  EXPECT_EQ(counts, (Json{{"synops.dense", {3, 1}}, {"hops_ns", {0, 2}}}));
  Json energies = priceSamples(counts, 2, davies(), "samples");
  EXPECT_EQ(energies, (Json{{"low", {70.8, 31.6}}, {"high", {70.8, 31.6}}}));
}

TEST(SampleBill, RefusesWhatIsNoColumn) {
  auto refused = [](const Json &counts) -> std::string {
    try {
      priceSamples(counts, 2, davies(), "t: samples.counts");
    } catch (const Error &error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(refused(Json{{"hops", {1, 2}}}),
            "t: samples.counts.hops: expected an energy event");
  EXPECT_EQ(refused(Json{{"flits", {1, 2}}}),
            "t: samples.counts.flits: expected an energy event");
  EXPECT_EQ(refused(Json{{"hops_ew", {1}}}),
            "t: samples.counts.hops_ew: expected an array of 2 counts");
  EXPECT_NE(refused(Json{{"hops_ew", {1, -2}}}).find("hops_ew[1]"),
            std::string::npos);
}

} // namespace
} // namespace dendrolith::report
