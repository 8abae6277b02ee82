// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ticks of the read-out make the answer, who says so, and which labels
// are none.

#include "runtime/session/Metrics.h"

#include "runtime/arrays/Npy.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <gtest/gtest.h>

namespace dendrolith::session {
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

TEST(Metrics, TiesAreCounted) {
  Answers three{3, {1, 2, 2, 0, 0, 0, 5, 1, 1}};
  EXPECT_EQ(three.ties(), 2u);
  EXPECT_EQ(three.classes(), (std::vector<int64_t>{1, 0, 0}));
}

/// Writes labels, reads them for a read-out of 3 classes, and returns the
/// error.
std::string labelError(std::vector<int64_t> labels) {
  std::string path = ::testing::TempDir() + "dendrolith-labels.npy";
  Answers answers{3, std::vector<double>(labels.size() * 3)};
  writeAside(path, formatNpy(Array::ofInts({labels.size()}, labels)));
  std::string message;
  try {
    loadLabels(path, {}, answers);
  } catch (const Error &error) {
    message = error.what();
  }
  return message.substr(std::min(path.size() + 11, message.size()));
}

TEST(Metrics, LabelsOutsideTheClasses) {
  EXPECT_EQ(labelError({0, 1, 2}), "");
  EXPECT_EQ(labelError({1, 3, 2}),
            "expected classes from 0 to 2, the elements of the read-out, found "
            "3 at sample 1; they seem to count from 1 (1 to 3): subtract 1");
  EXPECT_EQ(labelError({0, 3, 2}),
            "expected classes from 0 to 2, the elements of the read-out, found "
            "3 at sample 1");
  EXPECT_EQ(labelError({0, 1, -1}),
            "expected classes from 0 to 2, the elements of the read-out, found "
            "-1 at sample 2");
}

/// Writes labels of 2 samples of 3 steps, reads them for 2 classes, and returns
/// them, or the error.
std::string stepLabels(const Array &array) {
  std::string path = ::testing::TempDir() + "dendrolith-step-labels.npy";
  Answers answers{2, std::vector<double>(12), 3};
  Metric metric;
  metric.decode.each = true;
  writeAside(path, formatNpy(array));
  try {
    std::string text;
    for (double label : loadLabels(path, metric, answers))
      text += std::to_string(int(label)) + " ";
    return text;
  } catch (const Error &error) {
    return std::string(error.what()).substr(path.size() + 11);
  }
}

TEST(Metrics, LabelsOfEachStep) {
  EXPECT_EQ(stepLabels(Array::ofInts({2, 3}, {-100, 0, 1, -100, -100, 1})),
            "-100 0 1 -100 -100 1 ");
  EXPECT_EQ(stepLabels(Array::ofInts({2, 3}, {-100, 0, 1, -100, 2, 1})),
            "expected classes from 0 to 1, the elements of the read-out, or "
            "-100 where nothing is asked, found 2 at sample 1, step 1");
  EXPECT_EQ(stepLabels(Array::ofInts({2, 3}, {-1, 0, 1, 0, 0, 1})),
            "expected classes from 0 to 1, the elements of the read-out, or "
            "-100 where nothing is asked, found -1 at sample 0, step 0");
  EXPECT_EQ(stepLabels(Array::ofInts({2, 3}, std::vector<int64_t>(6, -100))),
            "expected a class at one step at least, found -100 everywhere, "
            "where nothing is asked");
  for (const Array &array : {Array::ofInts({6}, {0, 0, 0, 0, 0, 0}),
                             Array::ofInts({3, 2}, {0, 0, 0, 0, 0, 0}),
                             Array::ofReals({2, 3}, {0, 0, 0, 0, 0, 0})})
    EXPECT_NE(stepLabels(array).find("expected integers of shape (2, 3)"),
              std::string::npos);
}

TEST(Metrics, EachTickAnswers) {
  Recording run = recording({9, 0, 0, 2, 0, 1});
  Decode each = parseDecode("each", "test");
  Answers all = answers(run, each);
  EXPECT_EQ(all.classes(), (std::vector<int64_t>{0, 1, 1}));
  EXPECT_EQ(all.ticks, 3u);
  EXPECT_EQ(all.samples(), 1u);
  EXPECT_EQ(asked(all, {1, kNotAsked, 0}), 2u);
  Metric metric;
  metric.decode = each;
  // The other run has another class at ticks 0 and 2.
  Recording other = recording({0, 9, 0, 2, 1, 0});
  Agreement whole = compare(run, other, metric);
  EXPECT_EQ(whole.answers, 3u);
  EXPECT_EQ(whole.sameClass, 1u);
  Agreement part = compare(run, other, metric, {kNotAsked, 0, 0});
  EXPECT_EQ(part.answers, 2u);
  EXPECT_EQ(part.sameClass, 1u);
}

// An argmax over zeros is class 0, which nobody said.
TEST(Metrics, SilenceAgreesWithNothing) {
  Metric metric;
  Recording talks = recording({9, 0, 0, 0, 0, 0}),
            silent = recording({0, 0, 0, 0, 0, 0});
  Agreement one = compare(talks, silent, metric);
  EXPECT_EQ(one.answers, 1u);
  EXPECT_EQ(one.sameClass, 0u);
  EXPECT_EQ(one.silent, 1u);
  EXPECT_EQ(one.cosine, 0.0);
  Agreement both = compare(silent, silent, metric);
  EXPECT_EQ(both.sameClass, 0u);
  EXPECT_EQ(both.cosine, std::nullopt);
  Agreement same = compare(talks, talks, metric);
  EXPECT_EQ(same.sameClass, 1u);
  EXPECT_EQ(same.silent, 0u);
  EXPECT_EQ(same.cosine, 1.0);
}

TEST(Metrics, TiesWhereNothingIsAskedDoNotCount) {
  Answers three{2, {1, 1, 0, 1, 3, 3}, 3};
  EXPECT_EQ(three.ties(), 2u);
  EXPECT_EQ(three.ties({kNotAsked, 0, 1}), 1u);
}

TEST(Metrics, TheCommandLineWinsOverTheModel) {
  EXPECT_EQ(chooseMetric("", "").from, "default");
  EXPECT_EQ(chooseMetric("", "last=3").decode.last, 3u);
  EXPECT_EQ(chooseMetric("accuracy", "last=3").from, "model");
  Metric metric = chooseMetric("accuracy:mean", "last=3");
  EXPECT_EQ(metric.decode.last, 0u);
  EXPECT_EQ(metric.from, "command line");
  EXPECT_EQ(metric.name, "accuracy");
  EXPECT_TRUE(chooseMetric("accuracy:each", "last=3").decode.each);
  EXPECT_TRUE(chooseMetric("", "each").decode.each);
  EXPECT_THROW(chooseMetric("r2", "each"), Error);
  EXPECT_EQ(chooseMetric("r2", "last=1").name, "r2");
  EXPECT_EQ(chooseMetric("r2", "last=1").decode.last, 1u);
  EXPECT_EQ(chooseMetric("r2:mean", "last=1").decode.last, 0u);
}

TEST(Metrics, BadTextsAreRefused) {
  for (const char *text :
       {"f1", "accuracy:", "accuracy:last", "accuracy:last=", "accuracy:last=0",
        "accuracy:last=-1", "accuracy:last=4x", "accuracy:last=99999999999",
        "accuracy:mean:mean", "Accuracy", "R2", "r2:", "r2:last=0", "r2:each"})
    EXPECT_THROW(chooseMetric(text, ""), Error) << text;
}

} // namespace
} // namespace dendrolith::session
