// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ticks of the read-out make the answer, and who says so.

#include "runtime/driver/Metrics.h"
#include "targets/Error.h"

#include <gtest/gtest.h>

namespace neurite::driver {
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
  EXPECT_EQ(classes(run, {}), (std::vector<int64_t>{0}));
  EXPECT_EQ(classes(run, {2}), (std::vector<int64_t>{1}));
  EXPECT_EQ(classes(run, {3}), (std::vector<int64_t>{0}));
  EXPECT_THROW(classes(run, {4}), Error);
}

TEST(Metrics, TheCommandLineWinsOverTheModel) {
  EXPECT_EQ(chooseMetric("", "").from, "default");
  EXPECT_EQ(chooseMetric("", "last=3").decode.last, 3u);
  EXPECT_EQ(chooseMetric("accuracy", "last=3").from, "model");
  Metric metric = chooseMetric("accuracy:mean", "last=3");
  EXPECT_EQ(metric.decode.last, 0u);
  EXPECT_EQ(metric.from, "command line");
}

TEST(Metrics, BadTextsAreRefused) {
  for (const char *text :
       {"f1", "accuracy:", "accuracy:last", "accuracy:last=", "accuracy:last=0",
        "accuracy:last=-1", "accuracy:last=4x", "accuracy:last=99999999999",
        "accuracy:mean:mean", "Accuracy"})
    EXPECT_THROW(chooseMetric(text, ""), Error) << text;
}

} // namespace
} // namespace neurite::driver
