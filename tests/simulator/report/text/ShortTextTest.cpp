// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/ShortText.h"

#include "simulator/report/result/Pricing.h"
#include "simulator/report/result/Result.h"
#include "simulator/report/result/Summary.h"

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

Json row(const char *resource, uint64_t used, const Json &limit) {
  return {{"resource", resource}, {"unit", ""},      {"used", used},
          {"limit", limit},       {"worst_core", 3}, {"population", "p"}};
}

Json run() {
  Json result = emptyResult().json;
  result["engine"] = "functional";
  result["samples"] = 2;
  result["ticks"] = 5;
  result["steps"] = 6;
  result["model"] = {{"name", "net"}, {"sha256", nullptr}, {"file", nullptr}};
  return result;
}

// Whatever is not known is said, or left out; it is never 0.
TEST(ShortText, OfAFloatRun) {
  Json result = run();
  result["engine"] = "float";
  addSummary(result);
  EXPECT_EQ(formatShort(result), "net, float engine: 2 sample(s) of 5 ticks\n");
}

TEST(ShortText, OfAChipWithoutPrices) {
  Json result = run();
  result["target"] = {
      {"name", "c"},
      {"overrides", {{{"key", "mesh.tiles_x"}, {"value", "4"}, {"was", "8"}}}}};
  result["mapping"] = {{"cores", 2}};
  result["fit"] = {row("words", 90, 100), row("axons", 5, nullptr),
                   row("slots", 1, 4), row("cores", 2, 8)};
  result["counts"] = {
      {"total", {{"synops", {{"dense", 1}, {"sparse", 0}, {"conv", 0}}}}}};
  result["saturations"] = {{"inputs", 3},
                           {"u_wrapped", Json::object()},
                           {"v_clipped", Json::object()},
                           {"states_at_end", Json::object()}};
  const Json unpriced = {{"total_pJ", nullptr},
                         {"static_pJ", nullptr},
                         {"bound", ">="},
                         {"unpriced", {"spikes"}}};
  result["energy"] = {{"low", unpriced}, {"high", unpriced}};
  addWarnings(result, {{"never-spikes", "layer 'p'", "it is silent"}});
  addSummary(result);
  EXPECT_EQ(
      formatShort(result),
      "net on c, 2 core(s), functional engine: 2 sample(s) of 5 ticks\n"
      "Changed: mesh.tiles_x = 4, was 8\n"
      "Warnings (1)\n  layer 'p': it is silent [never-spikes]\n\n"
      "Energy: not known, the chip has no prices\n"
      "Latency: not simulated (an engine without a clock; --engine cycle has "
      "one)\n"
      "Fit: 2 of 8 cores; words 90.0 % full on core 3\n"
      "Saturations: 3 input values;\n"
      "Warnings: 1 (never-spikes)\n");
}

} // namespace

namespace {

TEST(WarningText, LinesAndTheirNumber) {
  nlohmann::ordered_json result = emptyResult().json;
  EXPECT_EQ(formatWarnings(result), "");
  EXPECT_EQ(countWarnings(result), "");
  addWarnings(
      result,
      {{"b", "layer 'x'", "one"}, {"a", "", "two"}, {"b", "y", "\x1b"}});
  EXPECT_EQ(formatWarnings(result), "Warnings (3)\n  layer 'x': one [b]\n"
                                    "  two [a]\n  y: ? [b]\n\n");
  EXPECT_EQ(countWarnings(result), "Warnings: 3 (a, b x 2)\n");
}

} // namespace
} // namespace dendrolith::report
