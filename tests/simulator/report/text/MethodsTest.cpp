// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The energy section of a paper, from a result that is small enough to check by
// hand.

#include "simulator/report/text/Methods.h"

#include "targets/support/Error.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

Json sectionResult() {
  return Json::parse(R"({"dendrolith": "0.1.0", "engine": "cycle",
    "samples": 4, "ticks": 8,
    "model": {"name": "my_net", "sha256": "aaaaaaaaaaaaaaaa"},
    "target": {"name": "loihi1", "sha256": "bbbbbbbbbbbbbbbb"},
    "program_sha256": "cccccccccccccccc",
    "hashes": {"outputs_sha256": "dddddddddddddddd"},
    "timing": {"name": "t1"}, "costs": {"low": {"name": "c1"},
    "high": {"name": "c1"}},
    "policies": {"calibration of input": "64 samples of 32 steps, given"},
    "layers": [{"kind": "population", "neurons": 1200,
                "sources": [{"synapses": 3}, {"synapses": 4000}]},
               {"kind": "input", "neurons": 9, "sources": []}],
    "quantisation": [{"weight_bits": 0}, {"weight_bits": 6},
                     {"weight_bits": 8}],
    "score": {"metric": "accuracy", "value": 0.942, "low": 0.918,
              "high": 0.959, "answers": 500, "confidence": 0.95},
    "counts": {"total": {"spikes": {"binary": 40}, "messages": 8,
      "synops": {"dense": 400, "graded": {"dense": 100}},
      "neuron_updates_active": 100, "neuron_updates_inactive": 20}},
    "energy": {"low": {"sources": {"c1_2018": "A & B, 50 % of it"},
                 "by_event": {"x": {"kind": "pre-silicon", "price_pJ": 2},
                              "y": {"kind": null, "price_pJ": null}}},
               "high": {"sources": {}, "by_event": {}}},
    "neurobench": null,
    "summary": {"cores": 36,
      "energy_per_sample_pJ": {"low": 1423427, "high": 1423427, "bound": ">=",
                               "unpriced": ["barriers", "resets"]},
      "static_per_sample_pJ": {"low": 2000, "high": 8000000},
      "latency_per_sample_ns": {"mean": 13940, "p95": 16700},
      "system_latency_per_sample_ns": {"mean": 61860}}})");
}

void expectIn(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Methods, SayWhatWasSimulated) {
  const std::string text = formatMethods(sectionResult(), "r");
  expectIn(text, "'my_net' (1,200 neurons, 4,003 synapses)");
  expectIn(text, "Weights have 6 to 8 bits");
  expectIn(text, "calibrated on 'input': 64 samples of 32 steps, given");
  expectIn(text, "accuracy is 94.2 % over 500 answers (95 % interval 91.8 to "
                 "95.9 %)");
  expectIn(text, "10 spikes, 100 synaptic operations, 30 neuron updates and 2 "
                 "messages (means over 4 samples)");
  expectIn(text, "at least 1.423 uJ by the prices of 'c1' (kinds of prices: "
                 "pre-silicon)");
  expectIn(text, "Static power adds 0.002 to 8 uJ");
  expectIn(text, "13.94 us on cores and mesh");
  expectIn(text, "not in these figures: barriers, resets");
  expectIn(text, "Nothing here was measured on hardware");
  expectIn(text, "SHA-256 of the model aaaaaaaaaaaa,");
}

TEST(Methods, EscapesNamesForLatex) {
  const std::string text = formatMethods(sectionResult(), "r");
  expectIn(text, "One inference of my\\_net on a simulated loihi1");
  expectIn(text, "@misc{c1_2018,\n  note = {A \\& B, 50 \\% of it}");
}

TEST(Methods, NeverInventAFigure) {
  Json result = sectionResult();
  Json &summary = result["summary"];
  summary["energy_per_sample_pJ"] = nullptr;
  summary["static_per_sample_pJ"] = nullptr;
  summary["latency_per_sample_ns"] = nullptr;
  summary["system_latency_per_sample_ns"] = nullptr;
  result["score"] = nullptr;
  const std::string text = formatMethods(result, "r");
  expectIn(text, "The chip has no prices, so no energy is given.");
  expectIn(text, "No time was simulated.");
  EXPECT_EQ(text.find("uJ"), std::string::npos) << text;
  EXPECT_EQ(text.find("accuracy"), std::string::npos) << text;
  result["counts"] = nullptr;
  EXPECT_THROW(formatMethods(result, "r"), Error);
}

} // namespace
} // namespace dendrolith::report
