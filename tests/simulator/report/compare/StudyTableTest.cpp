// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/compare/StudyTable.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace dendrolith::report {
namespace {

using Json = nlohmann::ordered_json;

Json studyResult(const std::string &model, const Json &energy,
                 const Json &still, const Json &baselines) {
  return {{"costs", {{"low", {{"name", "a"}}}, {"high", {{"name", "b"}}}}},
          {"summary",
           {{"model", model},
            {"target", "c_1"},
            {"engine", "cycle"},
            {"samples", 2},
            {"cores", 3},
            {"score", {{"value", 0.5}}},
            {"float_score", nullptr},
            {"energy_per_sample_pJ", energy},
            {"static_per_sample_pJ", still},
            {"latency_per_sample_ns", {{"mean", 1500.0}, {"p95", 2000.0}}},
            {"pJ_per_synop", nullptr},
            {"baselines", baselines},
            {"warnings", 1}}}};
}

const std::vector<Json> kTwo = {
    studyResult("x, \"y\"",
                {{"low", 1000.0}, {"high", 2500.0}, {"bound", ">="}},
                {{"low", 500.0}, {"high", 1000.0}},
                {{"dense_fp32_pJ", 4600.0},
                 {"dense_int8_pJ", 230.0},
                 {"quantised_bits", 6},
                 {"quantised_pJ", 23.0}}),
    studyResult("z", nullptr, nullptr, nullptr)};

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
  }
  return lines;
}

// Nothing is 0 that is not known.
TEST(StudyTable, CsvHasUnitsInItsHeadAndEmptyCells) {
  auto lines = linesOf(formatStudy(kTwo, "csv"));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_NE(lines[0].find(",events low (nJ),"), std::string::npos);
  EXPECT_EQ(lines[1],
            "\"x, \"\"y\"\"\",c_1,cycle,a to b,2,3,0.5,,1,2.5,>=,0.5,1,"
            "1.5,3.5,1.5,2,,4.6,0.23,6,0.023,1\r");
  EXPECT_EQ(lines[2], "z,c_1,cycle,a to b,2,3,0.5,,,,,,,,,1.5,2,,,,,,1\r");
}

TEST(StudyTable, LatexEscapesItsSigns) {
  const std::string text = formatStudy({kTwo[1]}, "latex");
  EXPECT_NE(text.find("\\hline\nz & c\\_1 & cycle & a to b & 2 & 3"),
            std::string::npos)
      << text;
  const Json bad = studyResult("=a^b\\c~d>", nullptr, nullptr, nullptr);
  EXPECT_EQ(linesOf(formatStudy({bad}, "csv"))[1].substr(0, 12),
            "'=a^b\\c~d>,c");
  EXPECT_NE(
      formatStudy({bad}, "latex")
          .find("=a\\textasciicircum{}b\\textbackslash{}c\\textasciitilde{}d"
                "\\textgreater{} & c\\_"),
      std::string::npos);
}

TEST(StudyTable, LatexSaysOnceWhatAllRowsShare) {
  const auto lines = linesOf(formatStudy(kTwo, "latex"));
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_EQ(lines[1].substr(0, 43),
            "\\caption{All rows: target: c\\_1; engine: cy");
  EXPECT_NE(lines[1].find("; latency (us): 1.5; "), std::string::npos);
  EXPECT_EQ(lines[3], "\\begin{tabular}{lrrrrrrr}");
  EXPECT_EQ(lines[5], "model & events (nJ) & static (nJ) & together (nJ) & "
                      "dense FP32 (nJ) & dense int8 (nJ) & QNN bits & QNN (nJ) "
                      "\\\\ \\hline");
  EXPECT_EQ(lines[6], "x, \"y\" & $\\ge$1--2.5 & 0.5--1 & 1.5--3.5 & 4.6 & "
                      "0.23 & 6 & 0.023 \\\\");
  EXPECT_EQ(lines[7], "z &  &  &  &  &  &  &  \\\\");
}

TEST(StudyTable, LatexHasTheDigitsOfTheInterval) {
  Json result = kTwo[1];
  Json &summary = result["summary"];
  summary["latency_per_sample_ns"]["interval"] = {{"low", 1380.0},
                                                  {"high", 1620.0}};
  summary["score"] = {{"value", 0.942}, {"low", 0.9179}, {"high", 0.9593}};
  const std::string text = formatStudy({result}, "latex");
  EXPECT_NE(text.find(" & 1.50 (1.38--1.62) & "), std::string::npos) << text;
  EXPECT_NE(text.find(" & 0.942 (0.918--0.959) & "), std::string::npos) << text;
  EXPECT_NE(formatStudy({result}, "table").find(" 1.5 "), std::string::npos);
}

TEST(StudyTable, ForPeopleARowForEach) {
  EXPECT_EQ(linesOf(formatStudy(kTwo, "table")).size(), 3u);
}

} // namespace
} // namespace dendrolith::report
