// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ticks of the read-out make the answer, and who says so.

#include "runtime/session/Metrics.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

namespace neurite::session {
namespace {

/// One sample of a read-out of two classes.
Recording recording(std::vector<double> values) {
  Recording result;
  result.samples = 1;
  result.ticks = values.size() / 2;
  sim::OutputData output;
  output.name = "y";
  output.shape = {2};
  output.values = std::move(values);
  result.outputs.push_back(output);
  return result;
}

TEST(Metrics, ClassOfTheDecodedTicks) {
  Recording run = recording({9, 0, 0, 2, 0, 1});
  EXPECT_EQ(answers(run, {}).classes(), (std::vector<int64_t>{0}));
  EXPECT_EQ(answers(run, {2}).classes(), (std::vector<int64_t>{1}));
  EXPECT_EQ(answers(run, {3}).classes(), (std::vector<int64_t>{0}));
  EXPECT_THROW(answers(run, {4}), Error);
}

TEST(Metrics, AnswersAreMeansOfTheDecodedTicks) {
  Recording run = recording({9, 0, 0, 2, 0, 1});
  EXPECT_EQ(answers(run, {}).values, (std::vector<double>{3, 1}));
  EXPECT_EQ(answers(run, {2}).values, (std::vector<double>{0, 1.5}));
}

TEST(Metrics, R2ByHand) {
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

TEST(Metrics, TheCommandLineWinsOverTheModel) {
  EXPECT_EQ(chooseMetric("", "").from, "default");
  EXPECT_EQ(chooseMetric("", "last=3").decode.last, 3u);
  EXPECT_EQ(chooseMetric("accuracy", "last=3").from, "model");
  Metric metric = chooseMetric("accuracy:mean", "last=3");
  EXPECT_EQ(metric.decode.last, 0u);
  EXPECT_EQ(metric.from, "command line");
  EXPECT_EQ(metric.name, "accuracy");
  EXPECT_EQ(chooseMetric("r2", "last=1").name, "r2");
  EXPECT_EQ(chooseMetric("r2", "last=1").decode.last, 1u);
  EXPECT_EQ(chooseMetric("r2:mean", "last=1").decode.last, 0u);
}

TEST(Metrics, BadTextsAreRefused) {
  for (const char *text :
       {"f1", "accuracy:", "accuracy:last", "accuracy:last=", "accuracy:last=0",
        "accuracy:last=-1", "accuracy:last=4x", "accuracy:last=99999999999",
        "accuracy:mean:mean", "Accuracy", "R2", "r2:", "r2:last=0"})
    EXPECT_THROW(chooseMetric(text, ""), Error) << text;
}

} // namespace
} // namespace neurite::session
