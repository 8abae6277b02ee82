// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Score.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

namespace dendrolith::session {
namespace {

TEST(Score, R2ByHand) {
  Metric metric;
  metric.name = "r2";
  // Labels 1, 3, 5 deviate from 3 by 4 + 0 + 4; errors 0, 1, 1.
  EXPECT_DOUBLE_EQ(score(metric, {1, {1, 4, 4}}, {1, 3, 5}), 1 - 2.0 / 8);
  EXPECT_DOUBLE_EQ(score(metric, {1, {1, 3, 5}}, {1, 3, 5}), 1);
  EXPECT_DOUBLE_EQ(score(metric, {1, {3, 3, 3}}, {1, 3, 5}), 0);
  // Each element has its own mean: 1 and 10, deviations 2 and 2; error 1.
  EXPECT_DOUBLE_EQ(score(metric, {2, {0, 9, 2, 12}}, {0, 9, 2, 11}),
                   1 - 1.0 / 4);
  EXPECT_THROW(score(metric, {1, {1, 2}}, {3, 3}), Error);
}

TEST(Score, AccuracyHasWilsonsInterval) {
  // 8 of 10: the interval of the textbooks is 0.49 to 0.94.
  std::vector<double> labels(10, 0);
  Answers answers{2, {}};
  for (int i = 0; i < 10; ++i)
    for (double value : {i < 8 ? 1.0 : 0.0, 0.5})
      answers.values.push_back(value);
  nlohmann::ordered_json score = scoreJson({}, answers, labels);
  EXPECT_EQ(score["metric"], "accuracy");
  EXPECT_EQ(score["value"], 0.8);
  EXPECT_NEAR(score["low"].get<double>(), 0.4902, 1e-4);
  EXPECT_NEAR(score["high"].get<double>(), 0.9433, 1e-4);
  EXPECT_EQ(score["method"], "wilson");
  EXPECT_EQ(score["mse"], nullptr);
}

TEST(Score, OnlyAnswersThatAreAskedForCount) {
  // 2 samples of 3 steps; steps 0 and 4 ask nothing, step 3 is wrong.
  Answers answers{2, {0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0}, 3};
  const std::vector<double> labels = {kNotAsked, 0, 0, 0, kNotAsked, 0};
  nlohmann::ordered_json score = scoreJson({}, answers, labels);
  EXPECT_EQ(score["value"], 0.75);
  EXPECT_EQ(score["answers"], 4);
  EXPECT_NEAR(score["low"].get<double>(), 0.3006, 1e-4); // Wilson's of 3 of 4
  EXPECT_EQ(confusion(labels, answers.classes(), 2)["counts"],
            nlohmann::ordered_json({{3, 1}, {0, 0}}));
}

TEST(Score, R2HasTheBootstrap) {
  Metric metric;
  metric.name = "r2";
  std::vector<double> labels;
  Answers answers{1, {}};
  for (int i = 0; i < 50; ++i) {
    labels.push_back(i);
    answers.values.push_back(i + (i % 5 ? 0 : 10));
  }
  nlohmann::ordered_json score = scoreJson(metric, answers, labels);
  EXPECT_EQ(score["method"], "bootstrap");
  EXPECT_LT(score["low"], score["value"]);
  EXPECT_GT(score["high"], score["value"]);
  EXPECT_EQ(score, scoreJson(metric, answers, labels)); // a fixed seed
  // 10 of 50 answers are off by 10. Of the first, its label is 0.
  EXPECT_DOUBLE_EQ(score["mse"].get<double>(), 10 * 100 / 50.0);
  double share = 0;
  for (int label = 0; label < 50; label += 5)
    share += 10 / (2.0 * label + 10);
  EXPECT_NEAR(score["smape"].get<double>(), 200 * share / 50, 1e-9);
  // Where nothing is wrong, no draw is either.
  answers.values = labels;
  score = scoreJson(metric, answers, labels);
  EXPECT_EQ(score["low"], 1);
  EXPECT_EQ(score["high"], 1);
  EXPECT_EQ(score["mse"], 0);
  // The answer 0 to the label 0 leaves no mean, as in NeuroBench's harness.
  EXPECT_EQ(score["smape"], 200);
}

TEST(Score, OneSampleHasNoInterval) {
  Metric metric;
  metric.name = "r2";
  // Its two elements deviate from their own means by nothing.
  EXPECT_THROW(scoreJson(metric, {2, {1, 2}}, {1, 3}), Error);
}

TEST(Score, ConfusionHasLabelsInRows) {
  EXPECT_EQ(confusion({0, 2, 2, 0}, {0, 1, 2, 2}, 3).dump(),
            R"({"classes":3,"counts":[[1,0,1],[0,0,0],[0,1,1]]})");
  EXPECT_EQ(confusion({0}, {0}, 100).at("counts").size(), 100u);
  EXPECT_EQ(confusion({0}, {0}, 101), nullptr);
}

} // namespace
} // namespace dendrolith::session
