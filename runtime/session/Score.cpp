// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Score.h"

#include "simulator/report/result/Bootstrap.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <cmath>

namespace dendrolith::session {

static double r2(const Answers &answers, const std::vector<double> &labels) {
  std::vector<double> mean(answers.width, 0.0);
  for (size_t i = 0; i < labels.size(); ++i)
    mean[i % answers.width] += labels[i] / double(answers.samples());
  double error = 0, deviation = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    double miss = answers.values[i] - labels[i],
           away = labels[i] - mean[i % answers.width];
    error += miss * miss;
    deviation += away * away;
  }
  if (!(deviation > 0))
    throw Error("--metric r2 compares errors with how much labels differ from "
                "each other, but all of them are equal; give more samples");
  return 1 - error / deviation;
}

double score(const Metric &metric, const Answers &answers,
             const std::vector<double> &labels) {
  if (metric.name == "r2")
    return r2(answers, labels);
  std::vector<int64_t> classes = answers.classes();
  uint64_t right = 0;
  for (size_t i = 0; i < classes.size(); ++i)
    right += double(classes[i]) == labels[i];
  return double(right) / double(asked(answers, labels));
}

/// The bootstrap of r2(). A draw whose labels are all equal has no score.
static std::optional<sim::Interval>
r2Interval(const Answers &answers, const std::vector<double> &labels) {
  const size_t samples = answers.samples(), width = answers.width;
  // Deviations are told from the mean of all samples, which keeps the sums of
  // squares of a draw from cancelling each other.
  std::vector<double> mean(width, 0.0), away(labels.size());
  for (size_t i = 0; i < labels.size(); ++i)
    mean[i % width] += labels[i] / double(samples);
  std::vector<double> error(samples, 0.0), squares(samples, 0.0);
  for (size_t i = 0; i < labels.size(); ++i) {
    double miss = answers.values[i] - labels[i];
    away[i] = labels[i] - mean[i % width];
    error[i / width] += miss * miss;
    squares[i / width] += away[i] * away[i];
  }
  return sim::bootstrapInterval(samples, [&](const std::vector<size_t> &drawn) {
    double errors = 0, deviation = 0;
    std::vector<double> sums(width, 0.0);
    for (size_t sample : drawn) {
      errors += error[sample];
      deviation += squares[sample];
      for (size_t e = 0; e < width; ++e)
        sums[e] += away[sample * width + e];
    }
    for (double sum : sums)
      deviation -= sum * sum / double(samples);
    return deviation > 0 ? 1 - errors / deviation : std::nan("");
  });
}

/// The mean of `error` over all answers and their labels.
template <typename Error>
static double meanError(const Answers &answers,
                        const std::vector<double> &labels, Error error) {
  double sum = 0;
  for (size_t i = 0; i < labels.size(); ++i)
    sum += error(answers.values[i], labels[i]);
  return sum / double(labels.size());
}

static double mse(const Answers &answers, const std::vector<double> &labels) {
  return meanError(answers, labels, [](double given, double right) {
    return (given - right) * (given - right);
  });
}

/// 200 is the worst, and what NeuroBench's harness makes of a mean that has no
/// value because an answer and its label both are 0.
static double smape(const Answers &answers, const std::vector<double> &labels) {
  const double mean =
      meanError(answers, labels, [](double given, double right) {
        return std::fabs(given - right) / (std::fabs(given) + std::fabs(right));
      });
  return std::isnan(mean) ? 200 : 200 * mean;
}

nlohmann::ordered_json scoreJson(const Metric &metric, const Answers &answers,
                                 const std::vector<double> &labels) {
  const double value = score(metric, answers, labels);
  const bool isShare = metric.name != "r2";
  const uint64_t judged = isShare ? asked(answers, labels) : answers.samples();
  std::optional<sim::Interval> interval =
      isShare ? sim::wilsonInterval(
                    uint64_t(std::llround(value * double(judged))), judged)
              : r2Interval(answers, labels);
  nlohmann::ordered_json json = {
      {"metric", metric.name}, {"value", value},  {"answers", judged},
      {"low", nullptr},        {"high", nullptr}, {"confidence", nullptr},
      {"method", nullptr},     {"mse", nullptr},  {"smape", nullptr}};
  if (!isShare) {
    json["mse"] = mse(answers, labels);
    json["smape"] = smape(answers, labels);
  }
  if (interval) {
    json["low"] = interval->low;
    json["high"] = interval->high;
    json["confidence"] = 0.95;
    json["method"] = isShare ? "wilson" : "bootstrap";
  }
  return json;
}

nlohmann::ordered_json confusion(const std::vector<double> &labels,
                                 const std::vector<int64_t> &predicted,
                                 uint64_t classes) {
  constexpr uint64_t kMostClasses = 100; // a larger square nobody reads
  if (classes > kMostClasses)
    return nullptr;
  std::vector<std::vector<uint64_t>> counts(classes,
                                            std::vector<uint64_t>(classes));
  for (size_t i = 0; i < labels.size(); ++i)
    if (labels[i] != kNotAsked)
      ++counts[size_t(labels[i])][size_t(predicted[i])];
  return {{"classes", classes}, {"counts", counts}};
}

namespace {

/// Whether the first output has classes, of which one element has none, and
/// enough ticks for an answer.
bool tellsClasses(const Recording &recording, const Metric &metric) {
  const sim::OutputData &first = recording.outputs.front();
  return metric.name == "accuracy" && product(first.shape) > 1 &&
         metric.decode.last <= recording.ticks * first.ticks;
}

void predict(const Answers &given, RunOutcome &outcome,
             report::Result &result) {
  outcome.predicted = given.classes();
  outcome.predictedTicks = given.ticks;
  if (!given.ticks) // else predicted.npy alone has them
    result.tables["samples"]["predicted"] = outcome.predicted;
}

void warnOfTies(const Answers &given, const std::vector<double> &labels,
                const RunRequest &request, const std::string &output) {
  if (uint64_t ties = given.ties(labels))
    request.model.listener.warn(
        {"tied-answers", "output '" + output + "'",
         fmt::format("{} of {} {} have more than one largest element, "
                     "of which the first is taken as the class; the score "
                     "depends on that order",
                     ties, asked(given, labels),
                     given.ticks ? "answers" : "samples")});
}

/// Says sample by sample what is right: yes or no, or how many answers of
/// those asked for.
void addCorrect(const std::vector<int64_t> &classes, const Answers &given,
                const std::vector<double> &labels,
                nlohmann::ordered_json &samples) {
  if (!given.ticks) {
    std::vector<bool> correct;
    for (size_t i = 0; i < labels.size(); ++i)
      correct.push_back(double(classes[i]) == labels[i]);
    samples["correct"] = correct;
    return;
  }
  std::vector<uint64_t> correct(given.samples()), all(given.samples());
  for (size_t i = 0; i < labels.size(); ++i) {
    correct[i / *given.ticks] += double(classes[i]) == labels[i];
    all[i / *given.ticks] += labels[i] != kNotAsked;
  }
  samples["correct"] = correct;
  samples["asked"] = all;
}

} // namespace

std::vector<double> judge(const RunRequest &request, const Metric &metric,
                          RunOutcome &outcome, report::Result &result) {
  const Recording &recording = outcome.recording;
  if (request.labels.empty()) {
    if (tellsClasses(recording, metric))
      predict(answers(recording, metric.decode), outcome, result);
    return {};
  }
  const Answers given = answers(recording, metric.decode);
  std::vector<double> labels = loadLabels(request.labels, metric, given);
  result.json["score"] = scoreJson(metric, given, labels);
  if (metric.name != "accuracy")
    return labels;
  warnOfTies(given, labels, request, recording.outputs.front().name);
  predict(given, outcome, result);
  addCorrect(outcome.predicted, given, labels, result.tables["samples"]);
  result.json["confusion"] = confusion(labels, outcome.predicted, given.width);
  return labels;
}

} // namespace dendrolith::session
