// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conventions on a result that is small enough for paper and pencil.

#include "simulator/report/paper/Conventions.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

std::string counts(const std::string &spikes, int updates) {
  return R"({"spikes": {"binary": )" + spikes +
         R"(, "unary": 0, "graded": 0}, "inputs": 0,
            "neuron_updates_active": )" +
         std::to_string(updates) + R"(, "neuron_updates_inactive": 0})";
}

/// Two samples of ten ticks: 6 inputs, 4 neurons with branches, 2 outputs.
Json pencilResult() {
  return Json::parse(
      R"({"samples": 2, "ticks": 10, "engine": "functional",
    "counts": {}, "quantisation": [],
    "target": {"name": "chip"},
    "summary": {"energy_per_sample_pJ": {"low": 400, "high": 800},
                "static_per_sample_pJ": {"low": null, "high": null}},
    "energy": {"low": {"costs": "t", "total_pJ": 800, "by_event": {}},
               "high": {"costs": "t", "total_pJ": 800, "by_event": {}}},
    "schedule": {"populations": {"L0": {"ticks": 2}, "out": {"ticks": 1}}},
    "layers": [
      {"population": "L0", "kind": "population", "neurons": 4,
       "branches": [{"first": 1, "end": 4, "modes": 3, "complex": true}],
       "sources": [{"name": "x", "synapses": 24,
       "kind": "dense", "biases": 0, "window": null}], "counts": )" +
      counts("30", 160) +
      R"(}, {"population": "out", "kind": "population", "neurons": 2,
       "branches": [], "sources": [{"name": "L0", "synapses": 5,
       "kind": "convolution", "biases": 2, "window": {"input": [1, 2, 2],
       "output": [2, 1, 1], "kernel": [2, 1], "stride": [3, 2],
       "padding": [0, 0, 0, 0], "dilation": [1, 1], "groups": 1}}],
       "counts": )" +
      counts("0", 40) +
      R"(}, {"population": "x", "kind": "input", "neurons": 6,
       "branches": [], "sources": [], "counts": {"inputs": 20}}],
    "spike_values": {"L0": {"-2": 5, "0": 130, "1": 20}}})");
}

Json flows() {
  return Json::parse(R"([
    {"source": "x", "target": "L0", "counts": {"synops": {"dense": 70,
      "sparse": 0, "conv": 0, "graded": {"dense": 0, "sparse": 0, "conv": 0}}}},
    {"source": "L0", "target": "out", "counts": {"synops": {"dense": 0,
      "sparse": 36, "conv": 0, "graded": {"dense": 0, "sparse": 6, "conv": 0}}}},
    {"source": "out", "target": null, "counts": {}}])");
}

const std::string kHead = R"(name: own
description: d
node: none
leaves_out: [memory]
sources: {s: somebody}
prices: {one: {value: 1, unit: pJ, kind: assumed, source: s}}
)";

/// The figure of one term that costs one pJ each.
Json conventionOf(const std::string &terms,
                  const Json &result = pencilResult()) {
  return conventionRows(result, flows(),
                        {parseConvention(kHead + terms, "c.yaml")})[0];
}

double figure(const std::string &per, const std::string &count) {
  return conventionOf("terms:\n  - {name: t, per: " + per + ", count: '" +
                      count + "', each: one}\n")
      .at("per_sample_pJ");
}

TEST(Conventions, CountsOfLayers) {
  EXPECT_EQ(figure("layer", "neurons * steps"), 4 * 20 + 2 * 10);
  EXPECT_EQ(figure("layer", "updates"), 100);
  EXPECT_EQ(figure("layer", "sent"), 15);
  EXPECT_EQ(figure("layer", "binary_sent"), 15);
  EXPECT_EQ(figure("layer", "branch_pairs * 100 + branch_modes"), 309);
  EXPECT_EQ(figure("layer", "max(neurons, 3)"), 7);
}

TEST(Conventions, CountsOfProjections) {
  // Dense: 10 events a sample to each of 4 neurons, zero weights as well. Not
  // dense: what the chip did, 15 without the 3 graded ones.
  EXPECT_EQ(figure("projection", "accumulates"), 40 + 15);
  EXPECT_EQ(figure("projection", "multiplies"), 3);
  EXPECT_EQ(figure("projection", "dense"), 1);
  EXPECT_EQ(figure("projection", "events"), 10 + 15);
  EXPECT_EQ(figure("projection", "from_input * synapses"), 24);
}

TEST(Conventions, ShapesOfProjections) {
  // A dense one is a convolution of one site: 6 x 4 and 1 x 2 channels.
  EXPECT_EQ(figure("projection", "channels_in * channels_out"), 24 + 2);
  EXPECT_EQ(figure("projection", "kernel_height * kernel_width"), 1 + 2);
  EXPECT_EQ(figure("projection", "10 * stride_height + stride_width"), 11 + 32);
  EXPECT_EQ(figure("projection", "100 * convolution + 10 * sites + groups"),
            11 + 111);
  EXPECT_EQ(figure("projection", "biases"), 2);
  // Nothing was quantised: the weights are those of the shapes.
  EXPECT_EQ(figure("projection", "weights"), 24 + 2 * 2);
  EXPECT_EQ(figure("layer", "weights"), 24 + 2 * 2);
  // A stored result of an image has none.
  Json image = pencilResult();
  for (Json &layer : image["layers"])
    for (Json &source : layer["sources"])
      source["kind"] = source["biases"] = source["window"] = nullptr;
  const Json row = conventionOf(
      "terms:\n  - {name: t, per: projection, count: sites, each: one}\n",
      image);
  EXPECT_TRUE(row.at("per_sample_pJ").is_null());
  EXPECT_EQ(row.at("reason"), "'x' to 'L0': its 'sites' are not in the result");
}

TEST(Conventions, SumsWhatItIsAskedFor) {
  // |S| of a sample is (5 x 2 + 20) / 2, on 5 synapses of 4 sources.
  const Json row =
      conventionOf("terms:\n  - {name: t, per: projection, when: "
                   "from_input == 0, count: values / source_neurons * "
                   "synapses, each: 2 * one}\n");
  EXPECT_DOUBLE_EQ(row.at("per_sample_pJ"), 2 * 15. / 4 * 5);
  EXPECT_DOUBLE_EQ(row.at("terms")[0].at("count"), 15. / 4 * 5);
  EXPECT_DOUBLE_EQ(row.at("chip_over").at("high"), 800 / 37.5);
}

TEST(Conventions, BreakEvenWithAnArtificialNetwork) {
  // 400 pJ a sample in steps and 200 in events, against 29 synapses of 30 pJ.
  Json result = pencilResult();
  for (const char *end : {"low", "high"})
    result["energy"][end] = Json::parse(R"({"costs": "t", "total_pJ": 1200,
      "by_event": {"neuron_updates_active": {"count": 9, "energy_pJ": 800},
                   "synops.dense": {"count": 9, "energy_pJ": 400}}})");
  const std::string terms =
      "network: artificial\nterms:\n  - {name: t, per: projection, count: "
      "synapses, each: 30 * one}\n";
  Json even = conventionOf(terms, result).at("break_even");
  EXPECT_DOUBLE_EQ(even.at("activity").at("low"), (870. - 400) / 200);
  EXPECT_DOUBLE_EQ(even.at("steps").at("high"), 870. / 600);
  EXPECT_DOUBLE_EQ(even.at("quiet_pJ").at("low"), 400);
  EXPECT_DOUBLE_EQ(even.at("firing_pJ").at("high"), 200);
  result["energy"]["low"]["by_event"]["neuron_updates_active"]["energy_pJ"] =
      2000;
  even = conventionOf(terms, result).at("break_even");
  EXPECT_TRUE(even.at("activity").at("low").is_null());
}

TEST(Conventions, SayWhyThereIsNoFigure) {
  Json row =
      conventionOf("requires:\n  - {per: projection, that: dense == 1, else: "
                   "it is sparse}\nterms:\n  - {name: t, per: layer, count: "
                   "sent, each: one}\n");
  EXPECT_TRUE(row.at("per_sample_pJ").is_null());
  EXPECT_EQ(row.at("reason"), "'L0' to 'out': it is sparse");
  const std::string some =
      "requires:\n  - {per: projection, some: sites == SITES, else: it has no "
      "such}\nterms:\n  - {name: t, per: layer, count: sent, each: one}\n";
  std::string asked = some;
  row = conventionOf(asked.replace(asked.find("SITES"), 5, "2"));
  EXPECT_EQ(row.at("reason"), "it has no such");
  asked = some;
  row = conventionOf(asked.replace(asked.find("SITES"), 5, "1"));
  EXPECT_TRUE(row.at("reason").is_null());
  // What inputs send has no magnitudes in a result.
  row = conventionOf(
      "terms:\n  - {name: t, per: projection, count: values, each: "
      "one}\n");
  EXPECT_NE(row.at("reason").get<std::string>().find("'x' to 'L0'"),
            std::string::npos);
  row = conventionOf("terms:\n  - {name: t, per: layer, count: sent}\n");
  EXPECT_TRUE(row.at("per_sample_pJ").is_null());
  EXPECT_EQ(row.at("terms")[0].at("count"), 15);
  const std::string sent =
      "terms:\n  - {name: t, per: layer, count: sent, each: one}\n";
  Json strange = pencilResult();
  strange["layers"][1]["sources"][0]["name"] = "nobody";
  EXPECT_EQ(conventionOf(sent, strange).at("reason"),
            "layer 'out': its source 'nobody' is no layer of the result");
  strange["layers"] = Json::array();
  EXPECT_EQ(conventionOf(sent, strange).at("reason"),
            "the result has no layers");
  Json unpriced = pencilResult();
  unpriced["summary"]["energy_per_sample_pJ"] = {{"low", nullptr},
                                                 {"high", nullptr}};
  EXPECT_EQ(conventionOf(sent, unpriced).at("reason"),
            "no ratio: the chip's events have no prices");
  Json silent = pencilResult();
  silent["counts"] = nullptr;
  silent["engine"] = "float";
  row = conventionOf(
      "terms:\n  - {name: t, per: layer, count: sent, each: one}\n", silent);
  EXPECT_EQ(row.at("reason"), "a run of the float engine counts no events");
  // What NeuroBench counts of a float run is enough for some.
  silent["neurobench"] = Json::parse(R"({"integer": null, "float":
    {"SynapticOperations": {"Effective_ACs": 30, "Effective_MACs": 4}}})");
  row =
      conventionOf("terms:\n  - {name: t, per: projection, count: accumulates "
                   "+ 10 * multiplies, each: one}\n",
                   silent);
  EXPECT_EQ(row.at("per_sample_pJ"), 70);
  row = conventionOf(
      "terms:\n  - {name: t, per: layer, count: sent, each: one}\n", silent);
  EXPECT_EQ(row.at("reason"),
            "the float network: its 'sent' are not in the result");
}

TEST(Conventions, ShippedOnesByHand) {
  const Json rows = conventionRows(pencilResult(), flows(), allConventions());
  for (const Json &row : rows) {
    const std::string name = row.at("name");
    if (name == "ac-mac-45nm") {
      EXPECT_DOUBLE_EQ(row.at("per_sample_pJ"), 0.9 * 55 + 4.6 * 3);
    } else if (name == "mmdend2025") { // 3 pairs of 3 modes, 20 steps
      EXPECT_DOUBLE_EQ(row.at("per_sample_pJ"),
                       4.6 * (3 * (3 * 3 + 1) * 20 + (2 * 3 + 3 * 4) * 20) +
                           0.9 * 15. / 4 * 5);
    } else if (name == "dendricl2026-spinnaker") {
      EXPECT_DOUBLE_EQ(row.at("per_sample_pJ"), 30 * 15);
    } else if (name == "spikesim2023") { // one site in 20 steps, a 2 x 1 kernel
      EXPECT_NEAR(row.at("per_sample_pJ"),
                  20 * (157.12 + 4.64 + 397 + 8 * (16 * 1.15e-6 + 0.2) +
                        64 * (2.03084 + 0.094245) + 5.096 + 16 * 1.76423),
                  1e-6);
    }
  }
  const std::string text = formatConventions(pencilResult(), rows);
  EXPECT_NE(text.find("chip, events"), std::string::npos) << text;
  EXPECT_NE(text.find("leaves out memory"), std::string::npos) << text;
}

} // namespace
} // namespace dendrolith::report
