// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/text/ScoreText.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

TEST(AgreementText, LayersOutputsAndStates) {
  Json result = {{"compare", {{"engine", "float"}, {"layers", nullptr}}}};
  EXPECT_EQ(formatLayerAgreement(result), "");
  result["compare"]["layers"] = Json::parse(R"([
    {"population": "a", "neurons": 2, "outputs": [
       {"name": "s", "values": 200, "different": 3, "rate": 0.25,
        "other_rate": 0.24, "first_difference": {"sample": 1, "step": 7,
        "neuron": 0, "value": 1.0, "other": 0.0}, "units_per_real": 1.0,
        "rms": null}],
     "states": [{"name": "v", "units_per_real": 64.0, "rms": 0.0125,
                 "other_rms": 1.5},
                {"name": "w", "units_per_real": 64.0, "rms": null,
                 "other_rms": null}]},
    {"population": "b", "neurons": 1, "outputs": [
       {"name": "y", "values": 10, "different": null, "rate": 1.0,
        "other_rate": 1.0, "first_difference": null, "units_per_real": 8.0,
        "rms": 0.5},
       {"name": "z", "values": 10, "different": null, "rate": 0.0,
        "other_rate": null, "first_difference": null, "units_per_real": 8.0,
        "rms": null}], "states": []}])");
  EXPECT_EQ(formatLayerAgreement(result),
            "Agreement with the float engine by layer\n"
            "  layer equal          rate     float rate first difference\n"
            "  a            98.50 %  25.00 %    24.00 % sample 1, step 7, "
            "neuron 0: 1, not 0\n"
            "  b.y   rms 0.5        100.00 %   100.00 %\n"
            "  b.z   no counterpart   0.00 %\n"
            "  state rms difference rms of float units per 1\n"
            "  a:v           0.0125          1.5          64\n"
            "  1 state(s) have no counterpart of their name and units\n\n");
}

TEST(AgreementText, ConfusionIsASquareOfFewClasses) {
  Json result = {{"confusion", nullptr}};
  EXPECT_EQ(formatConfusion(result), "");
  result["confusion"] = {{"classes", 2}, {"counts", {{5, 1}, {0, 1200}}}};
  EXPECT_EQ(formatConfusion(result),
            "Confusion: rows are labels, columns what was answered\n"
            "  label 0 1\n"
            "      0 5     1\n"
            "      1 0 1,200\n\n");
  result["confusion"]["classes"] = 21;
  EXPECT_EQ(formatConfusion(result),
            "Confusion of 21 classes: `confusion` of result.json\n\n");
}

} // namespace
} // namespace dendrolith::report
